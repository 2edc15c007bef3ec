// The property beside it, at length.
import './two-scripts.spec';
