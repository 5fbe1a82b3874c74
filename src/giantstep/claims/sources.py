"""The papers, by the keys that claims cite."""

SOURCES = {
    "bes22": (
        "J. Ba, M. A. Erdogdu, T. Suzuki, Z. Wang, D. Wu, G. Yang: High-dimensional asymptotics of feature learning: "
        "how one gradient step improves the representation (2022)"
    ),
    "dklps23": (
        "Y. Dandi, F. Krzakala, B. Loureiro, L. Pesce, L. Stephan: How two-layer neural networks learn, one (giant) "
        "step at a time (2023)"
    ),
}
