import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { signedFilePath } from '../../../../platform/links.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { getPaperReach } from '../../../messages/paperways/server/queries.ts'
import { cardLabel } from '../../cards/rules.ts'
import { findMethod, mandateOf } from '../../cards/server/queries.ts'
import { findCardTaker, takesBankDebits } from '../../connect/server/queries.ts'
import { thingIn } from '../rules.ts'

export const findRequest = (db: TenantDb, id: string) =>
  db
    .selectFrom('cardRequests')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()

/** What the page of a link to leave a card says, or null when nobody asked for it. */
export const getCardPage = async (db: TenantDb, requestId: string) => {
  const request = await findRequest(db, requestId)
  if (!request) return null
  const business = await db
    .selectFrom('businesses')
    .select(['name', 'phone', 'email', 'brandColor', 'logoFileId'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const provider = (await findCardTaker(db))?.provider ?? null
  const method = await findMethod(db, request.customerId)
  const { language } = await getPaperReach(db, request.customerId)
  const isOver = Date.parse(request.expiresAt) < clock.nowMs()
  return {
    state:
      request.status === 'done'
        ? isOver || !method
          ? ('used' as const)
          : ('done' as const)
        : isOver
          ? ('expired' as const)
          : ('open' as const),
    waits: request.providerSessionId !== null,
    name: (await getContact(db, request.customerId)).name,
    business: {
      ...business,
      color: business.brandColor,
      logoUrl: business.logoFileId ? signedFilePath(db.businessId, business.logoFileId) : null,
    },
    takesCards: provider !== null,
    language,
    thing: thingIn(language, await takesBankDebits(db)),
    isBank: method?.kind === 'bank',
    livemode: provider?.livemode ?? true,
    mandate: await mandateOf(db, language),
    card: method ? cardLabel(method, language) : null,
    expiresAt: request.expiresAt,
  }
}
export type CardPage = NonNullable<Awaited<ReturnType<typeof getCardPage>>>
