"""The papers and talks, by the keys under which claims, formulas and pages cite them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """One paper or talk."""

    authors: str
    title: str
    year: int

    @property
    def short(self) -> str:
        """`Dandi, Krzakala, Loureiro, Pesce, Stephan 2023`."""
        names = ", ".join(name.split(". ")[-1] for name in self.authors.split(", "))
        return f"{names} {self.year}"

    def __str__(self) -> str:
        return f"{self.authors}: {self.title} ({self.year})"


SOURCES = {
    "abm23": Source(
        "E. Abbe, E. Boix-Adsera, T. Misiakiewicz",
        "SGD learning on neural networks: leap complexity and saddle-to-saddle dynamics",
        2023,
    ),
    "bagj21": Source(
        "G. Ben Arous, R. Gheissari, A. Jagannath",
        "Online stochastic gradient descent on non-convex losses from high-dimensional inference",
        2021,
    ),
    "bes22": Source(
        "J. Ba, M. A. Erdogdu, T. Suzuki, Z. Wang, D. Wu, G. Yang",
        "High-dimensional asymptotics of feature learning: how one gradient step improves the representation",
        2022,
    ),
    "bes23": Source(
        "J. Ba, M. A. Erdogdu, T. Suzuki, Z. Wang, D. Wu",
        "Learning in the presence of low-dimensional structure: a spiked random matrix perspective",
        2023,
    ),
    "chizat22": Source("L. Chizat", "Mean-field Langevin dynamics: exponential convergence and annealing", 2022),
    "cob19": Source("L. Chizat, E. Oyallon, F. Bach", "On lazy training in differentiable programming", 2019),
    "cui24": Source(
        "H. Cui, L. Pesce, Y. Dandi, F. Krzakala, Y. M. Lu, L. Zdeborova, B. Loureiro",
        "Asymptotics of feature learning in two-layer networks after one gradient-step",
        2024,
    ),
    "dklps23": Source(
        "Y. Dandi, F. Krzakala, B. Loureiro, L. Pesce, L. Stephan",
        "How two-layer neural networks learn, one (giant) step at a time",
        2023,
    ),
    "dls22": Source(
        "A. Damian, J. D. Lee, M. Soltanolkotabi",
        "Neural networks can learn representations with gradient descent",
        2022,
    ),
    "dlm24": Source(
        "L. Defilippis, B. Loureiro, T. Misiakiewicz",
        "Dimension-free deterministic equivalents and scaling laws for random feature regression",
        2024,
    ),
    "dpvlb24": Source(
        "A. Damian, L. Pillaud-Vivien, J. D. Lee, J. Bruna",
        "Computational-statistical gaps in Gaussian single-index models",
        2024,
    ),
    "dwy21": Source(
        "K. Donhauser, M. Wu, F. Yang",
        "How rotational invariance of common kernels prevents generalization in high dimensions",
        2021,
    ),
    "mmm22": Source(
        "S. Mei, T. Misiakiewicz, A. Montanari",
        "Generalization error of random feature and kernel methods: hypercontractivity and kernel matrix concentration",
        2022,
    ),
    "mws23": Source(
        "A. Mousavi-Hosseini, D. Wu, T. Suzuki, M. A. Erdogdu",
        "Gradient-based feature learning under structured data",
        2023,
    ),
    "nosw24": Source(
        "A. Nitanda, K. Oko, T. Suzuki, D. Wu",
        "Improved statistical and computational complexity of the mean-field Langevin dynamics under structured data",
        2024,
    ),
    "nws22": Source("A. Nitanda, D. Wu, T. Suzuki", "Convex analysis of the mean field Langevin dynamics", 2022),
    "os19": Source(
        "S. Oymak, M. Soltanolkotabi",
        "Overparameterized nonlinear learning: gradient descent takes the shortest path?",
        2019,
    ),
    "saad95": Source("D. Saad, S. A. Solla", "On-line learning in soft committee machines", 1995),
    "smg13": Source(
        "A. M. Saxe, J. L. McClelland, S. Ganguli",
        "Exact solutions to the nonlinear dynamics of learning in deep linear neural networks",
        2013,
    ),
    "soltanolkotabi22": Source(
        "M. Soltanolkotabi", "Overparameterized learning beyond the lazy regime, lectures at Erice", 2022
    ),
    "ss21": Source(
        "D. Stoeger, M. Soltanolkotabi",
        "Small random initialization is akin to spectral learning: optimization and generalization guarantees for "
        "overparameterized low-rank matrix reconstruction",
        2021,
    ),
    "swn23": Source(
        "T. Suzuki, D. Wu, A. Nitanda",
        "Convergence of mean-field Langevin dynamics: time and space discretization, stochastic gradient, and variance "
        "reduction",
        2023,
    ),
}
