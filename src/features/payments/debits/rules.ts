const problems: Record<string, string> = {
  insufficient_funds: 'There was not enough money in the account.',
  account_closed: 'The account was closed.',
  no_account: 'The account does not exist.',
  invalid_account_number: 'The account does not exist.',
  incorrect_account_details: 'The account does not exist or was closed.',
  debit_not_authorized: 'The account’s holder did not authorize the payment.',
  bank_ownership_changed: 'The bank of the account changed: it has to be left anew.',
  bank_account_restricted: 'The bank allows no such payments from the account.',
  payment_method_bank_account_blocked: 'The bank allows no such payments from the account.',
  resource_missing: 'The account is not on file at the provider any more.',
  unanswered: 'The provider gave no answer in two weeks.',
}

const unsaid = 'The bank did not make the payment and does not say why.'

/** Why a bank did not pay, as a sentence. */
export const bankProblem = (code: string | null): string => problems[code ?? ''] ?? unsaid

/** Every sentence of it. */
export const bankProblems: readonly string[] = [...new Set([...Object.values(problems), unsaid])]

/** Only where money was missing may a bank be asked again, and by the rules of ACH twice at most. */
export const mostRepresentments = 2
/** So many days after a bank said no it is asked again. */
export const representAfterDays = 3

/** Whether a bank that said no may be asked once more. @param tries how often it was asked, this one included */
export const mayRepresent = (code: string | null, tries: number): boolean =>
  code === 'insufficient_funds' && tries <= mostRepresentments
