from .spiked_network import first_gradients as first_gradients
from .spiked_network import half_aligned_of as half_aligned_of
from .spiked_network import half_risk_of as half_risk_of
from .spiked_network import network_risk as network_risk
from .spiked_network import principal_risk as principal_risk
from .spiked_network import spike_alignments as spike_alignments
from .spiked_network import spiked_network_risk as spiked_network_risk
from .spiked_network import trained_network as trained_network
