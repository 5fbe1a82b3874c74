from .label_weighted import LabelledMatrices as LabelledMatrices
from .label_weighted import labelled_matrices as labelled_matrices
from .label_weighted import top_eigenpairs as top_eigenpairs
from .message_passing import MessageSpectrum as MessageSpectrum
from .message_passing import message_outliers as message_outliers
from .message_passing import message_spectrum as message_spectrum
from .sliced import inverse_regression_matrix as inverse_regression_matrix
from .sliced import leading_direction as leading_direction
