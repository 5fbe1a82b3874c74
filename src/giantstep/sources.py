"""The papers and talks, by the keys under which claims, formulas and pages cite them."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """One paper or talk.

    Args:
        authors: as `J. Ba, D. Wu`.
        title: with the capitals of a sentence.
        year: of the version that is cited.
        venue: journal or conference, with volume and pages where it has them; empty for a talk.
        arxiv: its number there, if it has one.
        doi: its digital object identifier, if it has no number on arXiv.
    """

    authors: str
    title: str
    year: int
    venue: str = ""
    arxiv: str = ""
    doi: str = ""

    @property
    def short(self) -> str:
        """`Dandi, Krzakala, Loureiro, Pesce, Stephan 2023`."""
        names = ", ".join(name.split(". ")[-1] for name in self.authors.split(", "))
        return f"{names} {self.year}"

    @property
    def link(self) -> str:
        """Where it can be read; empty if that is not known."""
        if self.arxiv:
            return f"https://arxiv.org/abs/{self.arxiv}"
        return f"https://doi.org/{self.doi}" if self.doi else ""

    def bibtex(self, key: str) -> str:
        """The entry for a bibliography, under this `key`.

        >>> print(Source("D. Saad, S. A. Solla", "On-line learning", 1995, doi="10.1103/x").bibtex("saad95"))
        @misc{saad95,
          author = {D. Saad and S. A. Solla},
          title = {{On-line learning}},
          year = {1995},
          doi = {10.1103/x},
        }
        """
        fields = {
            "author": self.authors.replace(", ", " and "),
            "title": f"{{{self.title}}}",
            "year": str(self.year),
            "howpublished": self.venue,
            "eprint": self.arxiv,
            "archivePrefix": "arXiv" if self.arxiv else "",
            "doi": self.doi,
        }
        lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
        return "\n".join([f"@misc{{{key},", *lines, "}"])

    def __str__(self) -> str:
        return f"{self.authors}: {self.title} ({self.year})"


SOURCES = {
    "addkp24": Source(
        "L. Arnaboldi, Y. Dandi, F. Krzakala, L. Pesce, L. Stephan",
        "Repetita iuvant: data repetition allows SGD to learn high-dimensional multi-index functions",
        2024,
        arxiv="2405.15459",
    ),
    "moniri24": Source(
        "B. Moniri, D. Lee, H. Hassani, E. Dobriban",
        "A theory of non-linear feature learning with one gradient step in two-layer neural networks",
        2024,
        arxiv="2310.07891",
    ),
    "abm23": Source(
        "E. Abbe, E. Boix-Adsera, T. Misiakiewicz",
        "SGD learning on neural networks: leap complexity and saddle-to-saddle dynamics",
        2023,
        venue="Conference on Learning Theory (COLT)",
        arxiv="2302.11055",
    ),
    "bagj21": Source(
        "G. Ben Arous, R. Gheissari, A. Jagannath",
        "Online stochastic gradient descent on non-convex losses from high-dimensional inference",
        2021,
        venue="Journal of Machine Learning Research 22",
        arxiv="2003.10409",
    ),
    "bes22": Source(
        "J. Ba, M. A. Erdogdu, T. Suzuki, Z. Wang, D. Wu, G. Yang",
        "High-dimensional asymptotics of feature learning: how one gradient step improves the representation",
        2022,
        venue="Advances in Neural Information Processing Systems 35",
        arxiv="2205.01445",
    ),
    "bes23": Source(
        "J. Ba, M. A. Erdogdu, T. Suzuki, Z. Wang, D. Wu",
        "Learning in the presence of low-dimensional structure: a spiked random matrix perspective",
        2023,
        venue="Advances in Neural Information Processing Systems 36, 17420-17449",
    ),
    "cob19": Source(
        "L. Chizat, E. Oyallon, F. Bach",
        "On lazy training in differentiable programming",
        2019,
        venue="Advances in Neural Information Processing Systems 32",
        arxiv="1812.07956",
    ),
    "chizat22": Source(
        "L. Chizat", "Mean-field Langevin dynamics: exponential convergence and annealing", 2022, arxiv="2202.01009"
    ),
    "cui24": Source(
        "H. Cui, L. Pesce, Y. Dandi, F. Krzakala, Y. M. Lu, L. Zdeborova, B. Loureiro",
        "Asymptotics of feature learning in two-layer networks after one gradient-step",
        2024,
        arxiv="2402.04980",
    ),
    "dklps23": Source(
        "Y. Dandi, F. Krzakala, B. Loureiro, L. Pesce, L. Stephan",
        "How two-layer neural networks learn, one (giant) step at a time",
        2023,
        arxiv="2305.18270",
    ),
    "dls22": Source(
        "A. Damian, J. D. Lee, M. Soltanolkotabi",
        "Neural networks can learn representations with gradient descent",
        2022,
        venue="Conference on Learning Theory (COLT)",
        arxiv="2206.15144",
    ),
    "dlm24": Source(
        "L. Defilippis, B. Loureiro, T. Misiakiewicz",
        "Dimension-free deterministic equivalents and scaling laws for random feature regression",
        2024,
        venue="Advances in Neural Information Processing Systems 37",
        arxiv="2405.15699",
    ),
    "dpvlb24": Source(
        "A. Damian, L. Pillaud-Vivien, J. D. Lee, J. Bruna",
        "Computational-statistical gaps in Gaussian single-index models",
        2024,
        venue="Conference on Learning Theory (COLT)",
        arxiv="2403.05529",
    ),
    "dwy21": Source(
        "K. Donhauser, M. Wu, F. Yang",
        "How rotational invariance of common kernels prevents generalization in high dimensions",
        2021,
        arxiv="2104.04244",
    ),
    "mmm22": Source(
        "S. Mei, T. Misiakiewicz, A. Montanari",
        "Generalization error of random feature and kernel methods: hypercontractivity and kernel matrix concentration",
        2022,
        venue="Applied and Computational Harmonic Analysis 59, 3-84",
        arxiv="2101.10588",
    ),
    "mws23": Source(
        "A. Mousavi-Hosseini, D. Wu, T. Suzuki, M. A. Erdogdu",
        "Gradient-based feature learning under structured data",
        2023,
        venue="Advances in Neural Information Processing Systems 36, 71449-71485",
        arxiv="2309.03843",
    ),
    "nosw24": Source(
        "A. Nitanda, K. Oko, T. Suzuki, D. Wu",
        "Improved statistical and computational complexity of the mean-field Langevin dynamics under structured data",
        2024,
        venue="International Conference on Learning Representations (ICLR)",
    ),
    "saad95": Source(
        "D. Saad, S. A. Solla",
        "On-line learning in soft committee machines",
        1995,
        venue="Physical Review E 52, 4225-4243",
        doi="10.1103/PhysRevE.52.4225",
    ),
    "nws22": Source(
        "A. Nitanda, D. Wu, T. Suzuki",
        "Convex analysis of the mean field Langevin dynamics",
        2022,
        venue="Artificial Intelligence and Statistics (AISTATS)",
        arxiv="2201.10469",
    ),
    "os19": Source(
        "S. Oymak, M. Soltanolkotabi",
        "Overparameterized nonlinear learning: gradient descent takes the shortest path?",
        2019,
        venue="International Conference on Machine Learning (ICML)",
        arxiv="1812.10004",
    ),
    "smg13": Source(
        "A. M. Saxe, J. L. McClelland, S. Ganguli",
        "Exact solutions to the nonlinear dynamics of learning in deep linear neural networks",
        2013,
        venue="International Conference on Learning Representations (ICLR 2014)",
        arxiv="1312.6120",
    ),
    "soltanolkotabi22": Source(
        "M. Soltanolkotabi", "Overparameterized learning beyond the lazy regime, lectures at Erice", 2022
    ),
    "ss21": Source(
        "D. Stoeger, M. Soltanolkotabi",
        "Small random initialization is akin to spectral learning: optimization and generalization guarantees for "
        "overparameterized low-rank matrix reconstruction",
        2021,
        venue="Advances in Neural Information Processing Systems 34",
        arxiv="2106.15013",
    ),
    "tme25": Source(
        "K. C. Tsiolis, A. Mousavi-Hosseini, M. A. Erdogdu",
        "From information to generative exponent: learning rate induces phase transitions in SGD",
        2025,
        venue="Advances in Neural Information Processing Systems (NeurIPS)",
        arxiv="2510.21020",
    ),
    "swn23": Source(
        "T. Suzuki, D. Wu, A. Nitanda",
        "Convergence of mean-field Langevin dynamics: time and space discretization, stochastic gradient, and variance "
        "reduction",
        2023,
        venue="Advances in Neural Information Processing Systems 36",
    ),
    "ll20": Source(
        "Y. M. Lu, G. Li",
        "Phase transitions of spectral initialization for high-dimensional non-convex estimation",
        2020,
        venue="Information and Inference 9, 507-541",
        arxiv="1702.06435",
    ),
    "mm19": Source(
        "M. Mondelli, A. Montanari",
        "Fundamental limits of weak recovery with applications to phase retrieval",
        2019,
        venue="Foundations of Computational Mathematics 19, 703-773",
        arxiv="1708.05932",
    ),
    "lal19": Source(
        "W. Luo, W. Alghamdi, Y. M. Lu",
        "Optimal spectral initialization for signal recovery with applications to phase retrieval",
        2019,
        venue="IEEE Transactions on Signal Processing 67, 2347-2356",
        arxiv="1811.04420",
    ),
    "li91": Source(
        "K.-C. Li",
        "Sliced inverse regression for dimension reduction",
        1991,
        venue="Journal of the American Statistical Association 86, 316-327",
        doi="10.1080/01621459.1991.10475035",
    ),
    "li92": Source(
        "K.-C. Li",
        "On principal Hessian directions for data visualization and dimension reduction: another application of "
        "Stein's lemma",
        1992,
        venue="Journal of the American Statistical Association 87, 1025-1039",
        doi="10.1080/01621459.1992.10476258",
    ),
    "tddlkp24": Source(
        "E. Troiani, Y. Dandi, L. Defilippis, L. Zdeborova, B. Loureiro, F. Krzakala",
        "Fundamental computational limits of weak learnability in high-dimensional multi-index models",
        2024,
        arxiv="2405.15480",
    ),
    "ddmpl25": Source(
        "L. Defilippis, Y. Dandi, P. Mergny, F. Krzakala, B. Loureiro",
        "Optimal spectral transitions in high-dimensional multi-index models",
        2025,
        arxiv="2502.02545",
    ),
    "dlb25": Source(
        "A. Damian, J. D. Lee, J. Bruna",
        "The generative leap: sharp sample complexity for efficiently learning Gaussian multi-index models",
        2025,
        arxiv="2506.05500",
    ),
    "zddf26": Source(
        "L. Zhu, D. Davis, D. Drusvyatskiy, M. Fazel",
        "Average gradient outer product in kernel regression provably recovers the central subspace for multi-index "
        "models",
        2026,
        arxiv="2605.15082",
    ),
    "dxgtezlk25": Source(
        "L. Defilippis, Y. Xu, J. Girardin, E. Troiani, V. Erba, L. Zdeborova, B. Loureiro, F. Krzakala",
        "Scaling laws and spectra of shallow neural networks in the feature learning regime",
        2025,
        arxiv="2509.24882",
    ),
    "gtxekz26": Source(
        "J. Girardin, E. Troiani, Y. Xu, V. Erba, F. Krzakala, L. Zdeborova",
        "How width and data shape generalization scaling laws in quadratic neural networks",
        2026,
        arxiv="2606.28242",
    ),
    "biane97": Source(
        "P. Biane",
        "On the free convolution with a semi-circular distribution",
        1997,
        venue="Indiana University Mathematics Journal 46, 705-718",
        doi="10.1512/iumj.1997.46.1467",
    ),
    "adklps24": Source(
        "L. Arnaboldi, Y. Dandi, F. Krzakala, B. Loureiro, L. Pesce, L. Stephan",
        "Online learning and information exponents: on the importance of batch size, and time/complexity tradeoffs",
        2024,
        venue="International Conference on Machine Learning (ICML)",
        arxiv="2406.02157",
    ),
    "pxpp24": Source(
        "E. Paquette, C. Paquette, L. Xiao, J. Pennington",
        "4+3 phases of compute-optimal neural scaling laws",
        2024,
        arxiv="2405.15074",
    ),
    "rnwl25": Source(
        "Y. Ren, E. Nichani, D. Wu, J. D. Lee",
        "Emergence and scaling laws in SGD learning of shallow neural networks",
        2025,
        arxiv="2504.19983",
    ),
}


def source_key(source: Source) -> str:
    """The key of a paper; its short name for one that only one claim knows."""
    return next((key for key, known in SOURCES.items() if known == source), re.sub(r"\W+", "-", source.short))
