// First: it says which rules win over which.
import './styles/base.css';
import { render } from 'preact';
import { App } from './app';
import { speakAsWished } from './language/language';

const root = document.getElementById('app');
if (root) void speakAsWished().then(() => render(<App />, root));
