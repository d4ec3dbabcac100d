import type { Selectable } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { PaymentAccounts } from '../../../../platform/db/types.generated.ts'
import type { PaymentProvider } from '../../../../platform/payments/provider.ts'
import { accountProvider, providerNamed } from '../../../../platform/payments/providers.ts'
import { canOf } from '../../../../shared/can.ts'
import { isClosed } from '../../../businesses/server/queries.ts'
import { type CardAccount, connectApi } from '../contract.ts'
import {
  type AccountFacts,
  connectRefusals,
  connectState,
  connectWords,
  requirementLabels,
  takesCards,
} from '../rules.ts'

type Row = Selectable<PaymentAccounts>

/** The account of a business at whoever takes its cards now: the one in use, else the last one. */
export const findAccountRow = async (db: TenantDb): Promise<Row | undefined> => {
  const { provider } = accountProvider()
  if (!provider) return undefined
  return db
    .selectFrom('paymentAccounts')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('provider', '=', provider.name)
    .where('livemode', '=', provider.livemode)
    .orderBy('removedAt', (o) => o.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst()
}

export const factsOf = (row: Row): AccountFacts => ({
  chargesEnabled: row.chargesEnabled,
  payoutsEnabled: row.payoutsEnabled,
  detailsSubmitted: row.detailsSubmitted,
  requirements: row.requirements as unknown as string[],
  pausedReason: row.pausedReason,
  disconnected: row.disconnectedAt !== null,
  removed: row.removedAt !== null,
})

/** Who takes cards for a business and into which account, or null while nobody does; a closed business takes none. */
export const findCardTaker = async (db: TenantDb): Promise<{ provider: PaymentProvider; accountId: string } | null> => {
  if (await isClosed(db)) return null
  const row = await findAccountRow(db)
  const provider = row && takesCards(factsOf(row)) ? providerNamed(row.provider) : null
  return row && provider ? { provider, accountId: row.accountId } : null
}

/** Whether customers of a business may pay from a bank account beside a card. */
export const takesBankDebits = async (db: TenantDb): Promise<boolean> =>
  (
    await db
      .selectFrom('businesses')
      .select('bankDebits')
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow()
  ).bankDebits

/** The account as the settings show it. */
export const getCardAccount = async (db: TenantDb, actor: Actor): Promise<CardAccount> => {
  const taker = accountProvider()
  const row = await findAccountRow(db)
  const facts = row ? factsOf(row) : null
  const state = taker.provider ? connectState(facts) : 'unavailable'
  const reason = taker.provider ? null : taker.reason
  const words = connectWords(state, facts?.pausedReason ?? null)
  return {
    state,
    title: words.title,
    message: reason ? `${reason} ${words.message}` : words.message,
    requirements:
      state === 'incomplete' || state === 'paused' || state === 'needsInfo'
        ? requirementLabels(facts?.requirements ?? [])
        : [],
    takesCards: taker.provider !== null && takesCards(facts),
    payoutsEnabled: facts?.payoutsEnabled ?? false,
    providerLabel: taker.provider?.label ?? null,
    livemode: taker.provider?.livemode ?? false,
    dashboardUrl: taker.provider?.dashboardUrl ?? null,
    testBankPath: (!actor.readOnly && row && taker.provider?.playedBankPath?.(row.accountId)) || null,
    can: canOf(
      actor,
      { connect: connectApi.connectAccount, disconnect: connectApi.disconnectAccount },
      connectRefusals,
      { state, reason },
    ),
  }
}
