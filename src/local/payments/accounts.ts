import { clock } from '../../platform/clock.ts'
import { database } from '../../platform/db/database.ts'
import type { AccountState, PaymentProvider } from '../../platform/payments/provider.ts'
import { paths } from '../../shared/paths.ts'
import type { AccountStep } from './contract.ts'
import { deliverLocalEvents } from './events.ts'
import { idOf, insert, lock, read, write } from './objects.ts'

// The test provider's own side of a business's account, through the states that a real one goes through.

export type LocalAccount = {
  businessId: string
  name: string
  state: 'new' | 'checking' | 'ready' | 'needsInfo' | 'paused'
  /** The business took our access away. */
  removed: boolean
}

const minutesGood = 5

const facts: Record<
  LocalAccount['state'],
  Pick<AccountState, 'chargesEnabled' | 'payoutsEnabled' | 'detailsSubmitted' | 'requirements' | 'pausedReason'>
> = {
  new: {
    chargesEnabled: false,
    payoutsEnabled: false,
    detailsSubmitted: false,
    requirements: ['business_profile.mcc', 'individual.id_number', 'external_account', 'tos_acceptance.date'],
    pausedReason: 'requirements.past_due',
  },
  checking: {
    chargesEnabled: false,
    payoutsEnabled: false,
    detailsSubmitted: true,
    requirements: [],
    pausedReason: 'requirements.pending_verification',
  },
  ready: { chargesEnabled: true, payoutsEnabled: true, detailsSubmitted: true, requirements: [], pausedReason: null },
  needsInfo: {
    chargesEnabled: true,
    payoutsEnabled: false,
    detailsSubmitted: true,
    requirements: ['individual.verification.document'],
    pausedReason: null,
  },
  paused: {
    chargesEnabled: false,
    payoutsEnabled: false,
    detailsSubmitted: true,
    requirements: ['individual.verification.document', 'external_account'],
    pausedReason: 'requirements.past_due',
  },
}

const stateOf = (id: string, { businessId, state }: LocalAccount): AccountState => ({
  id,
  livemode: false,
  businessId,
  ...facts[state],
})

/** The account as its own side has it, or null; one that was taken away is gone for us. */
export const findLocalAccount = async (id: string): Promise<AccountState | null> => {
  const found = await read<LocalAccount>('account', id)
  return found && !found.removed ? stateOf(id, found) : null
}

type Link = { accountId: string; refreshPath: string; returnPath: string; expiresAt: string }

export const localAccounts: Pick<
  PaymentProvider,
  'openAccount' | 'findAccount' | 'openOnboarding' | 'dashboardUrl' | 'playedBankPath'
> = {
  dashboardUrl: null,
  playedBankPath: paths.localBank,
  openAccount: async ({ businessId, name }, requestKey) => {
    const account: LocalAccount = { businessId, name, state: 'new', removed: false }
    const id = await insert('account', idOf('acct'), account, requestKey)
    return stateOf(id, (await read<LocalAccount>('account', id)) ?? account)
  },
  findAccount: findLocalAccount,
  openOnboarding: async (accountId, page) => {
    const link: Link = {
      accountId,
      ...page,
      expiresAt: new Date(clock.nowMs() + minutesGood * 60_000).toISOString(),
    }
    return `/local/connect/${await insert('account_link', idOf('acl'), link, null)}`
  },
}

/** The account behind a link of its form; null when there is none. What is too old leads back for a fresh one. */
export const findLocalLink = async (
  id: string,
): Promise<(Link & { account: LocalAccount; expired: boolean }) | null> => {
  const link = await read<Link>('account_link', id)
  const account = link ? await read<LocalAccount>('account', link.accountId) : null
  if (!link || !account) return null
  return { ...link, account, expired: account.removed || Date.parse(link.expiresAt) < clock.nowMs() }
}

const next: Record<Exclude<AccountStep, 'leave' | 'remove'>, LocalAccount['state']> = {
  finish: 'ready',
  submit: 'checking',
  askMore: 'needsInfo',
  pause: 'paused',
}

/** Gives an account a state without telling anybody: for the demo business. */
export const replayLocalAccount = async (accountId: string, state: LocalAccount['state']): Promise<void> => {
  await database()
    .transaction()
    .execute(async (tx) => {
      const account = await lock<LocalAccount>(tx, 'account', accountId)
      if (account) await write(tx, accountId, { ...account, state })
    })
}

/** What the business, or the provider, does to an account; told by the same events as at Stripe. */
export const stepLocalAccount = async (accountId: string, step: AccountStep): Promise<void> => {
  if (step === 'leave') return
  const changed = await database()
    .transaction()
    .execute(async (tx) => {
      const account = await lock<LocalAccount>(tx, 'account', accountId)
      if (!account || account.removed) return null
      const after = step === 'remove' ? { ...account, removed: true } : { ...account, state: next[step] }
      await write(tx, accountId, after)
      return after
    })
  if (!changed) return
  await deliverLocalEvents([
    step === 'remove'
      ? {
          type: 'account.application.deauthorized',
          account: accountId,
          object: { id: 'ca_test_swath', object: 'application' },
        }
      : { type: 'account.updated', account: accountId, object: { id: accountId, object: 'account' } },
  ])
}
