import { sql } from 'kysely'
import type { z } from 'zod'
import { type Actor, userIdOf } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { waitWords } from '../../../platform/http/rate-limit.ts'
import { newId } from '../../../platform/ids.ts'
import { counted } from '../../../shared/counted.ts'
import { AppError, conflict, invalid, notFound } from '../../../shared/errors.ts'
import { testAddressOf } from '../../mailings/server/commands.ts'
import { queueMessage } from '../../messages/server/commands.ts'
import { findMarketingConsent, findSuppression } from '../../messages/server/queries.ts'
import { contentProblems, noWords, wordsFor } from '../content/rules.ts'
import type { campaignsApi } from '../contract.ts'
import { mostTestsAnHour } from '../rules.ts'
import { requireMoneyFor } from '../segments/server/queries.ts'
import { campaignSenderOf, mailFor, surroundingsOf, textFor } from './letter.ts'
import { type CampaignRow, getCampaignRow } from './queries.ts'

/** A campaign is tried out on who writes it, or on addresses that they type. No audience gets it, and nothing of it is counted. */

const toOthers = 'campaign-test:to:'

/** Why nothing may go to an address, or null. */
const refusalOf = async (db: TenantDb, address: string): Promise<string | null> => {
  const closed = await findSuppression(db, 'email', address)
  if (closed) return `Nothing can be sent to ${address}: ${closed.reason}. Nothing was sent.`
  return (await findMarketingConsent(db, 'email', address)) === 'revoke'
    ? `${address} said no to offers. Nothing was sent.`
    : null
}

/** Refuses what would be over the limit of an hour. Two at once are counted one after the other. @throws too_many_requests */
const requireRoom = async (db: TenantDb, wanted: number): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`campaign-tests:${db.businessId}`}, 0))`.execute(db)
  const { rows } = await sql<{ sent: number; first: string | null }>`
    select count(*)::int as sent, min(m.created_at) as first from messages m
    where m.business_id = ${db.businessId} and m.created_at > ${new Date(clock.nowMs() - 3_600_000).toISOString()}
      and m.entity_type = 'campaign_test' and starts_with(m.dedupe_key, ${toOthers})`.execute(db)
  const { sent = 0, first = null } = rows[0] ?? {}
  const left = mostTestsAnHour - sent
  if (wanted <= left) return
  const seconds = first === null ? 3600 : Math.max(1, Math.ceil((Date.parse(first) + 3_600_000 - clock.nowMs()) / 1000))
  throw new AppError(
    'too_many_requests',
    `${mostTestsAnHour} test e-mails an hour go to other addresses, and ${
      left <= 0 ? 'none is' : `${counted(left, 'one')} ${left === 1 ? 'is' : 'are'}`
    } left. Nothing was sent. Try again in ${waitWords(seconds)}, or send the test to yourself.`,
    { details: { retryAfterSeconds: seconds } },
  )
}

/** Who it goes to besides whoever asks. @throws validation_failed, too_many_requests */
const checkOthers = async (db: TenantDb, { channel }: CampaignRow, to: readonly string[]): Promise<void> => {
  if (channel !== 'email')
    throw invalid([
      { path: 'to', message: 'A text is tried on the number in your profile. Other addresses are for e-mails.' },
    ])
  const refused: { path: string; message: string }[] = []
  for (const [at, address] of to.entries()) {
    const message = await refusalOf(db, address)
    if (message) refused.push({ path: `to.${at}`, message })
  }
  if (refused.length > 0) throw invalid(refused)
  await requireRoom(db, to.length)
}

const whoAsks = (db: TenantDb, who: Actor): Promise<{ id: string; name: string }> =>
  db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', userIdOf(who) ?? '')
    .executeTakeFirstOrThrow(() => notFound('person'))

/**
 * One as a customer would get it, at once: to the person who asks, or to e-mail addresses that they typed.
 * @throws not_found, state_conflict without an address of theirs, validation_failed, too_many_requests
 */
export const testCampaign = (
  who: Actor,
  id: string,
  { language, variant, to: typed }: z.output<typeof campaignsApi.test.body>,
): Promise<{ to: string }> =>
  withTenant(who, async (db) => {
    const row = await getCampaignRow(db, id)
    const { channel, content } = row
    const others = typed ? [...new Set(typed)] : null
    if (others) {
      // it leaves the business, so who may not send this campaign sends no test of it, either
      requireMoneyFor(who, row.conditions)
      await checkOthers(db, row, others)
    }
    const own = others ? null : await testAddressOf(db, who, channel)
    const me = own?.me ?? (await whoAsks(db, who))
    const sender = await campaignSenderOf(db)
    const person = { name: me.name, company: null, language }
    const { words, language: shown } = wordsFor(content, language)
    const isEmpty = channel === 'email' ? words.blocks.length === 0 || words.subject === '' : words.text === ''
    if (isEmpty) throw conflict('Write something first. Nothing was sent.')
    // what it leads to on the day it leaves is no matter of how it looks
    const isB = variant === 'b' && words.subjectB !== ''
    const problems = contentProblems(channel, { en: words, es: noWords }, isB, surroundingsOf(sender)).filter(
      ({ path }) => path.startsWith('content.en.') && !path.endsWith('.to'),
    )
    if (problems.length > 0)
      throw invalid(problems.map(({ path, message }) => ({ path: path.replace('.en.', `.${shown}.`), message })))
    const mail = channel === 'email' ? mailFor(sender, content, person, { variant, reading: null }) : null
    for (const address of others ?? (own ? [own.address] : []))
      await queueMessage(db, {
        channel,
        // it answers the one who asked for it, so quiet hours do not hold it
        purpose: 'reply',
        address,
        dedupeKey: `${others ? toOthers : 'campaign-test:'}${newId()}`,
        userId: me.id,
        entity: { type: 'campaign_test', id: me.id },
        ...(mail
          ? { subject: `Test: ${mail.subject}`.slice(0, 200), text: mail.text, html: mail.html }
          : { text: textFor(sender, content, person) }),
      })
    const to = others ? others.join(', ') : (own?.to ?? '')
    await audit(db, who, 'campaign.test', { type: 'campaign', id }, { after: { to, language, variant } })
    return { to }
  })
