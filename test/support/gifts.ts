// Private: the fields by which one user gives another points, and how a user is found in these, as the module does it.
export { giftsOf, namingOf } from '../../libs/activity/src/moderation/naming';
export { fieldNames, ledgerField } from '../../libs/activity/src/rules/ledger-field';
