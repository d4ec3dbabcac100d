import type { Refusal } from '../../../shared/can.ts'

/** A business's account for card payments, as far as it decides what is shown and done. */
export type AccountFacts = {
  chargesEnabled: boolean
  payoutsEnabled: boolean
  detailsSubmitted: boolean
  requirements: readonly string[]
  pausedReason: string | null
  disconnected: boolean
  removed: boolean
}

export const connectStates = [
  'unavailable',
  'none',
  'incomplete',
  'checking',
  'paused',
  'needsInfo',
  'ready',
  'disconnected',
  'removed',
] as const
export type ConnectState = (typeof connectStates)[number]

/** Where a business is on its way to cards. @param account null before it began */
export const connectState = (account: AccountFacts | null): Exclude<ConnectState, 'unavailable'> => {
  if (!account) return 'none'
  if (account.removed) return 'removed'
  if (account.disconnected) return 'disconnected'
  if (account.chargesEnabled) return account.requirements.length > 0 || !account.payoutsEnabled ? 'needsInfo' : 'ready'
  if (!account.detailsSubmitted) return 'incomplete'
  // Rejected or past due is not a wait: somebody has to do something.
  return account.requirements.length > 0 || !isBeingChecked(account.pausedReason) ? 'paused' : 'checking'
}

const isBeingChecked = (reason: string | null): boolean =>
  reason === null || reason === 'requirements.pending_verification' || reason === 'under_review'

/** Whether cards can be charged into it right now. */
export const takesCards = (account: AccountFacts | null): boolean =>
  account?.chargesEnabled === true && !account.disconnected && !account.removed

const asked: readonly (readonly [RegExp, string])[] = [
  [/external_account/, 'A bank account for your payouts'],
  [/tos_acceptance/, 'Your yes to the provider’s terms'],
  [/verification\.additional_document/, 'A second document, such as a utility bill with your address'],
  [/verification\.document/, 'A photo of your driver’s license or passport'],
  [/proof_of_liveness/, 'A photo of your face beside your ID'],
  [/ssn_last_4/, 'The last 4 digits of your Social Security number'],
  [/id_number/, 'Your Social Security number'],
  [/company\.tax_id|company\.vat_id/, 'Your employer ID number (EIN)'],
  [/business_profile\.mcc|business_profile\.product_description/, 'What your business does'],
  [/business_profile\.url/, 'Your website, or what you sell in a sentence'],
  [/business_profile\.support/, 'A phone number that customers can reach you at'],
  [/statement_descriptor/, 'The name that stands on card statements'],
  [/business_type/, 'Whether you are a sole owner, an LLC or a corporation'],
  [/owners|directors|executives|ownership/, 'Who owns and runs the business'],
  [/\.dob\b/, 'Your date of birth'],
  [/\.address\b/, 'Your address'],
  [/\.phone/, 'Your phone number'],
  [/\.email/, 'Your e-mail address'],
  [/first_name|last_name|\.name/, 'Your legal name'],
  [/representative|relationship/, 'Who speaks for the business'],
  [/documents?|files?/, 'A document about the business'],
]

/** What the provider still asks for, in words, each once and in its order. What has no words of ours is shown by its own name. */
export const requirementLabels = (requirements: readonly string[]): string[] => [
  ...new Set(
    requirements.map(
      (name) =>
        asked.find(([shape]) => shape.test(name))?.[1] ??
        name.replace(/[._]/g, ' ').replace(/^./, (c) => c.toUpperCase()),
    ),
  ),
]

/** Why no cards are taken, in words. */
export const pausedMessage = (reason: string | null): string => {
  if (reason?.startsWith('rejected'))
    return 'The provider closed this account and takes no payments on it. Write to its support from your account there.'
  if (reason === 'listed')
    return 'The provider is comparing your details with a list of blocked people. It writes to you when it is done.'
  if (reason === 'platform_paused') return 'Card payments of this account were paused. Please contact support.'
  if (reason === 'requirements.past_due' || reason === 'action_required.requested_capabilities')
    return 'The provider waited for details that did not come, and paused card payments until it has them.'
  return 'The provider paused card payments of this account. What it asks for stands there.'
}

type Shown = { title: string; message: string }

/** What the settings say about each state. @param due what is still asked for, in words */
export const connectWords = (state: ConnectState, pausedReason: string | null): Shown => {
  switch (state) {
    case 'unavailable':
      return { title: 'Not available here', message: 'Customers see their invoices and how else to pay you.' }
    case 'none':
      return {
        title: 'Not set up',
        message:
          'Set up an account and customers pay invoices by card. The money goes straight to your own account and from there to your bank.',
      }
    case 'incomplete':
      return {
        title: 'Set-up is not finished',
        message: 'Go on where you left off. Until then nobody can pay by card.',
      }
    case 'checking':
      return {
        title: 'Your details are being checked',
        message:
          'This mostly takes minutes, sometimes two days. Cards work as soon as it is done; you need not do anything.',
      }
    case 'paused':
      return { title: 'Card payments are paused', message: pausedMessage(pausedReason) }
    case 'needsInfo':
      return {
        title: 'Ready, but more information is needed',
        message:
          'Customers can pay by card. Send what is asked for soon, or payouts and then card payments are paused.',
      }
    case 'ready':
      return {
        title: 'Ready to take cards',
        message: 'Customers can pay by card, and the money is paid out to your bank.',
      }
    case 'disconnected':
      return {
        title: 'Switched off',
        message:
          'Nobody can pay by card. Your account and its money stay yours, and earlier payments can still be refunded.',
      }
    case 'removed':
      return {
        title: 'Access was taken away',
        message:
          'The connection was ended in the account itself, so cards cannot be taken and earlier payments cannot be refunded from here. Setting it up again makes a new one.',
      }
  }
}

export const connectActions = ['connect', 'disconnect'] as const
export type ConnectAction = (typeof connectActions)[number]

/** Why something cannot be done with the account now. */
export const connectRefusals: Record<ConnectAction, Refusal<{ state: ConnectState; reason: string | null }>> = {
  connect: ({ state, reason }) =>
    state === 'unavailable' ? `${reason ?? 'This server has no card provider.'} Nothing was changed.` : null,
  disconnect: ({ state }) =>
    state === 'none' || state === 'unavailable' || state === 'disconnected' || state === 'removed'
      ? 'Card payments are off already. Nothing was changed.'
      : null,
}
