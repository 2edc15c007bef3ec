// The same at length.
import './facts.spec';
