import { sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/ids.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { clip } from '../../../shared/wire-text.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { findDuplicatesTx } from '../../customers/server/queries.ts'
import { lockAddress } from '../../messages/server/commands.ts'
import type { ChosenWork } from '../contract.ts'
import { isOpen, joinsLead, lostReasonLabel, missedCallWords, type Source, type Stage } from '../rules.ts'
import {
  insertLeadTx,
  type LeadRow,
  type LeadValues,
  lockLead,
  reopenTx,
  setLead,
  stageTx,
  tellAbout,
  tellPast,
} from './rows.ts'

/** The one door for whoever asks by themselves: by a form, by mail, by text, by a call that nobody took. */

export type Asked = Omit<LeadValues, 'assigneeId' | 'nextAction' | 'nextActionOn' | 'customerId'> & { source: Source }

/** What a form brought that was not known yet; a number stood for the name until there is one. */
const learned = (row: LeadRow, asked: Asked): Record<string, unknown> => ({
  ...Object.fromEntries(
    Object.entries(asked).filter(
      ([key, value]) =>
        !['source', 'outOfArea', 'requestKey'].includes(key) && value && !row[key as keyof LeadRow] && key in row,
    ),
  ),
  ...((row.phone !== null && row.name === formatPhone(row.phone)) || row.name === row.email
    ? { name: asked.name }
    : {}),
  ...(row.wants === missedCallWords && asked.wants ? { wants: asked.wants } : {}),
})

/** A call that nobody took. Who waits for a first answer waits on; anybody else of the funnel is to be called back today. */
const missedTx = async (db: TenantDb, row: LeadRow): Promise<void> => {
  await tellPast(db, row.id, { kind: 'call', words: 'They called, and nobody picked up', data: { missed: true } })
  const isOwed = isOpen(row.stage) && row.repliedAt !== null && row.nextAction === ''
  await setLead(db, row, isOwed ? { nextAction: 'Call back', nextActionOn: await todayOf(db) } : {})
}

type Asker = { id: string; name: string; stage: Stage; isConverted: boolean; samePlace: boolean }

/** Leads with this phone or e-mail, the newest first, and whether they may be at the same place. */
const listAskers = async (db: TenantDb, asked: Asked): Promise<Asker[]> => {
  const { phone = null, email = null, street = '', unit = '', zip = '' } = asked
  const zip5 = zip.slice(0, 5)
  const { rows } = await sql<Asker>`
    with hit as (
      select id from business_leads where business_id = ${db.businessId} and phone = ${phone}
      union select id from business_leads where business_id = ${db.businessId} and email = ${email})
    select l.id, l.name, l.stage, l.converted_at is not null as "isConverted",
      (${street} = '' or l.street = '' or split_part(l.address_key, '|', 1) = split_part(address_key(${street}, ${unit}, '', ''), '|', 1))
        and (${zip5} = '' or l.zip = '' or left(l.zip, 5) = ${zip5}) as "samePlace"
    from hit join business_leads l on l.business_id = ${db.businessId} and l.id = hit.id
    order by l.id desc limit 20`.execute(db)
  return rows
}

/** Keeps what was asked as it was sent. */
const keepRequest = async (
  db: TenantDb,
  leadId: string,
  asked: Asked,
  chosen: readonly ChosenWork[],
): Promise<void> => {
  const { name, email, phone, street, unit, city, state, zip, lawnSquareFeet, wants } = asked
  const { source, sourceDetail, priceLowCents, priceHighCents, requestKey } = asked
  await db
    .insertInto('leadRequests')
    .values({
      ...{ name, email, phone, street, unit, city, state, zip, lawnSquareFeet, wants },
      ...{ source, sourceDetail, priceLowCents, priceHighCents, requestKey },
      businessId: db.businessId,
      id: newId(),
      leadId,
      chosen: JSON.stringify(chosen),
      at: clock.iso(),
    })
    .execute()
}

/**
 * Somebody asked by themselves. Who is at the beginning of the funnel asks again and stays one lead, with each request kept whole; who was lost is new again
 * and waits for an answer. Another person or place with the same phone or e-mail, and who has a quote or is a customer, is a lead of its own that is shown
 * with the other.
 * @param chosen the work that was ticked, beside the words
 * @param by `message`: what they say stands among the messages already, and tells nothing of a person or a place; `call`: nobody took it
 */
export const receiveLeadTx = async (
  db: TenantDb,
  asked: Asked,
  by: 'message' | 'form' | 'call' = 'form',
  chosen: readonly ChosenWork[] = [],
): Promise<{ id: string; isNew: boolean; isSpam?: boolean }> => {
  const { phone = null, email = null, wants = '' } = asked
  // The same person may ask twice in one moment: one lead comes of it.
  if (phone) await lockAddress(db, 'sms', phone)
  if (email) await lockAddress(db, 'email', email)
  const askers = await listAskers(db, asked)
  const same = askers.filter((one) => (by === 'form' ? joinsLead(one, asked.name) : one.stage !== 'won'))
  const again = same.find(({ stage }) => stage !== 'lost') ?? same[0]
  if (again) {
    const row = await lockLead(db, again.id)
    // who was thrown out as spam is not new again with every call of a machine
    if (by !== 'form' && row.stage === 'lost' && row.lostReason === 'spam')
      return { id: row.id, isNew: false, isSpam: true }
    if (by === 'form') {
      await keepRequest(db, row.id, asked, chosen)
      await tellPast(db, row.id, { kind: 'again', words: wants, data: { source: asked.source } })
    }
    await setLead(db, row, { ...learned(row, asked), ...(by === 'form' ? { requestCount: row.requestCount + 1 } : {}) })
    if (by === 'call') await missedTx(db, row)
    if (row.stage === 'lost' && !asked.outOfArea) await reopenTx(db, row)
    await tellAbout(db, row, {
      title: `${row.name} ${{ form: 'asked again', message: 'answered', call: 'called, and nobody picked up' }[by]}`,
      content: clip(wants, 200),
      dedupeKey: `lead:${row.id}:again:${row.version}`,
    })
    return { id: row.id, isNew: false }
  }
  const [customer] =
    (await findDuplicatesTx(db, [{ phone, email, street: '', unit: '', city: '', zip: '' }])).get(0) ?? []
  const id = await insertLeadTx(
    db,
    { ...asked, customerId: customer?.customerId ?? null },
    { userId: null, words: by === 'form' ? wants : '', tells: true },
  )
  if (by === 'form') await keepRequest(db, id, asked, chosen)
  if (by === 'call') await missedTx(db, await lockLead(db, id))
  // Nobody waits for an answer where the business does not work; the office still sees who asked from there.
  if (asked.outOfArea)
    await stageTx(
      db,
      await lockLead(db, id),
      { stage: 'lost', by: 'facts', lost: { reason: 'out_of_area', note: '' }, why: lostReasonLabel.out_of_area },
      null,
    )
  return { id, isNew: true }
}
