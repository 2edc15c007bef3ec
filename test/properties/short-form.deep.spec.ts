// The property beside it, at length.
import './short-form.spec';
