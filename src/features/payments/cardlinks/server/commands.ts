import { type Actor, userIdOf } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { asBusinessId, type BusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { absoluteUrl, linkToken } from '../../../../platform/links.ts'
import { log } from '../../../../platform/log.ts'
import { type Checkout, goodPageUrl, PaymentRefused } from '../../../../platform/payments/provider.ts'
import { expireCheckout, findCheckout } from '../../../../platform/payments/providers.ts'
import { requestKeyOf } from '../../../../platform/payments/request-key.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { isClosedTx } from '../../../businesses/server/queries.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { getSender } from '../../../invoices/server/commands.ts'
import { isReached, unreachedWords } from '../../../messages/paperways/rules.ts'
import { getPaperReach } from '../../../messages/paperways/server/queries.ts'
import { queueMessage, queueTextTx } from '../../../messages/server/commands.ts'
import { stopLine } from '../../../messages/server/queries.ts'
import { textReachOf } from '../../../messages/server/reach/queries.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { cardLabel } from '../../cards/rules.ts'
import { type Mandate, saveMethodTx, tellHolderTx } from '../../cards/server/commands.ts'
import { findMethod, mandateOf } from '../../cards/server/queries.ts'
import { findCardTaker, takesBankDebits } from '../../connect/server/queries.ts'
import type { CardLink, LinkWay } from '../contract.ts'
import { cardLinkPath, leaveTexts, linkDays } from '../rules.ts'
import { findRequest } from './queries.ts'
import { cardLinkMail, cardLinkText } from './templates.ts'

/** A new link for a customer to leave a card. @returns its path and until when it is good */
export const addRequestTx = async (
  db: TenantDb,
  customerId: string,
  createdBy: string | null,
): Promise<{ id: string; path: string; expiresAt: string }> => {
  const id = newId()
  const expiresAt = new Date(clock.nowMs() + linkDays * 86_400_000).toISOString()
  await db
    .insertInto('cardRequests')
    .values({ businessId: db.businessId, id, customerId, expiresAt, createdBy, createdAt: clock.iso() })
    .execute()
  return { id, expiresAt, path: cardLinkPath(await linkToken(db, 'card', id)) }
}

/**
 * Sends a customer the link by mail or text, or hands it to the office.
 * @throws not_found, state_conflict without an address of that way, for who wants no texts, or without an account that takes cards;
 * message_limit_reached where the plan's texts are used up
 */
export const sendCardLink = (actor: Actor, customerId: string, { by }: { by: LinkWay }): Promise<CardLink> =>
  withTenant(actor, async (db) => {
    const contact = await getContact(db, customerId)
    const { name, email } = contact
    const texted = by === 'sms' ? await textReachOf(db, contact) : null
    if (!(await findCardTaker(db)))
      throw conflict('You do not take cards right now: see Profile, Money. Nothing was sent.')
    if (by === 'email' && !email)
      throw conflict(`${name} has no e-mail on file. Add one to the customer, or copy the link. Nothing was sent.`)
    if (texted?.number === null) throw conflict(`${name} gets no text: ${texted.why}. Nothing was sent.`)
    const reach = await getPaperReach(db, customerId)
    if (!isReached(reach))
      throw conflict(
        `Each charge is announced, and ${name} ${unreachedWords(reach)}. Add an e-mail to the customer first. Nothing was sent.`,
      )
    const { id, path, expiresAt } = await addRequestTx(db, customerId, userIdOf(actor))
    const url = absoluteUrl(path)
    const { language } = reach
    const takesBank = await takesBankDebits(db)
    const sender = await getSender(db)
    if (texted) {
      const stop = await stopLine(db, { customerId, address: texted.number, language })
      const text = `${cardLinkText({ url, takesBank, language }, sender.name)}${stop}`
      await queueTextTx(db, actor, { name, address: texted.number, text, customerId })
    }
    if (by === 'email' && email) {
      const { text } = await mandateOf(db, language)
      await queueMessage(db, {
        channel: 'email',
        purpose: 'transactional',
        address: email,
        dedupeKey: `card-link:${id}`,
        ...cardLinkMail({ name, url, mandate: text, takesBank, language }, sender),
        customerId,
        userId: actor.userId,
      })
    }
    await audit(db, actor, 'card.link', { type: 'customer', id: customerId }, { after: { by } })
    return {
      url,
      expiresAt,
      address: texted?.number ?? (by === 'email' ? email : null),
      waitsUntil: texted?.quietUntil ?? null,
    }
  })

/** The attempt that stands for the provider's page: the one that is out, or the next. */
const beginLeaving = (businessId: BusinessId, requestId: string, words: string, ip: string) =>
  withTenant({ businessId }, async (db) => {
    const request = await db
      .selectFrom('cardRequests')
      .selectAll()
      .where('businessId', '=', businessId)
      .where('id', '=', requestId)
      .forUpdate()
      .executeTakeFirst()
    if (!request) throw notFound('link')
    const reach = await getPaperReach(db, request.customerId)
    const { language } = reach
    const t = leaveTexts[language]
    if (request.status === 'done') throw conflict(t.done)
    if (Date.parse(request.expiresAt) < clock.nowMs()) throw conflict(t.tooOld)
    const taken = await findCardTaker(db)
    if (!taken || (await isClosedTx(db))) throw conflict(t.notSetUp)
    if (!isReached(reach)) throw conflict(t.notTold)
    const now = await mandateOf(db, language)
    if (now.text !== words) throw conflict(t.termsChanged)
    const mandate: Mandate = { ...now, at: clock.iso(), ip, page: 'card' }
    await db
      .updateTable('cardRequests')
      .set({ mandate: JSON.stringify(mandate), accountId: taken.accountId })
      .where('businessId', '=', businessId)
      .where('id', '=', requestId)
      .execute()
    const { name } = await db
      .selectFrom('businesses')
      .select('name')
      .where('businessId', '=', businessId)
      .executeTakeFirstOrThrow()
    return { request, language, payeeName: name, takesBank: await takesBankDebits(db), ...taken }
  })

const languageOf = (businessId: BusinessId, requestId: string) =>
  withTenant({ businessId }, async (db) => {
    const { customerId } = await db
      .selectFrom('cardRequests')
      .select('customerId')
      .where('businessId', '=', businessId)
      .where('id', '=', requestId)
      .executeTakeFirstOrThrow()
    return (await getPaperReach(db, customerId)).language
  })

/** Opens the provider's page on which a card is typed in. Presses at once lead to one page; nothing is charged. */
export const leaveCard = async (
  businessId: BusinessId,
  requestId: string,
  { path, mandate, ip }: { path: string; mandate: string; ip: string },
): Promise<{ url: string }> => {
  for (let tries = 0; tries < 3; tries++) {
    const begun = await beginLeaving(businessId, requestId, mandate, ip)
    const { request, language, payeeName, takesBank, provider, accountId } = begun
    const before = request.providerSessionId
    const known = before === null ? null : await findCheckout(before, request.accountId)
    const url = goodPageUrl(known, clock.nowMs())
    if (url !== null && request.accountId === accountId) return { url }
    if (known?.status === 'complete') {
      await syncCard(known, request.accountId)
      continue
    }
    if (before && known?.status === 'open') await expireCheckout(before, request.accountId)
    const asked = {
      purpose: 'card' as const,
      mark: { businessId, cardRequestId: requestId },
      payeeName,
      takesBank,
      successPath: `${path}?done=1`,
      cancelPath: path,
      language,
    }
    const session = await provider
      .openCheckout({ ...asked, requestKey: requestKeyOf(`card:${requestId}:${before ?? 'first'}`, asked) }, accountId)
      .catch((error: unknown) => {
        if (error instanceof PaymentRefused) throw conflict(leaveTexts[language].notSetUp)
        throw error
      })
    await withTenant({ businessId }, (db) =>
      db
        .updateTable('cardRequests')
        .set({ providerSessionId: session.id })
        .where('businessId', '=', businessId)
        .where('id', '=', requestId)
        .where('status', '=', 'open')
        .execute(),
    )
    return { url: session.url }
  }
  throw conflict(leaveTexts[await languageOf(businessId, requestId)].done)
}

/** Keeps the card that was left on a provider's page. The return and the webhook both come here, as often as they like. */
export const syncCard = async (state: Checkout, account: string | null): Promise<void> => {
  if (!state.card || state.status !== 'complete' || !state.saved || !account) return
  const { businessId, cardRequestId } = state.card
  await withTenant({ businessId: asBusinessId(businessId) }, async (db) => {
    const request = await db
      .selectFrom('cardRequests')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('id', '=', cardRequestId)
      .forUpdate()
      .executeTakeFirst()
    if (!request?.mandate || request.accountId !== account || (request.providerSessionId ?? state.id) !== state.id) {
      log.error({ sessionId: state.id, account }, 'a card page does not fit its request')
      return
    }
    if (request.status === 'done') return
    const { customerId } = request
    await saveMethodTx(db, customerId, state, account, request.mandate as unknown as Mandate)
    await db
      .updateTable('cardRequests')
      .set({ status: 'done', providerSessionId: state.id })
      .where('businessId', '=', db.businessId)
      .where('id', '=', cardRequestId)
      .execute()
    const method = await findMethod(db, customerId)
    const { name } = await getContact(db, customerId)
    if (!method) return
    await tellHolderTx(db, method, { kind: 'saved', mandate: method.mandateText }, `card-saved:${cardRequestId}`, null)
    await notifyOffice(db, {
      type: 'invoice',
      title: `${name} left a ${method.kind === 'bank' ? 'bank account' : 'card'}`,
      content: `${cardLabel(method)} pays their invoices on the day they are due.`,
      customerId,
      path: linkTo.invoices({ customerId }),
      dedupeKey: `card-left:${cardRequestId}`,
    })
  })
}

/** Back from the provider's page: asks what became of it. */
export const syncRequest = async (businessId: BusinessId, requestId: string): Promise<void> => {
  const request = await withTenant({ businessId }, (db) => findRequest(db, requestId))
  if (!request?.providerSessionId || request.status === 'done') return
  const state = await findCheckout(request.providerSessionId, request.accountId)
  if (state) await syncCard(state, request.accountId)
}
