import { sql } from 'kysely'
import { storeImage } from '../features/files/server/commands.ts'
import {
  addConversationNote,
  assignConversation,
  snoozeConversation,
} from '../features/messages/conversations/server/commands.ts'
import { getConversation, listConversationPeople } from '../features/messages/conversations/server/queries.ts'
import { keepMailFiles } from '../features/messages/mailfiles/server/commands.ts'
import { addNumberNote, assignNumber } from '../features/messages/numbers/server/commands.ts'
import { getNumberConversation } from '../features/messages/numbers/server/queries.ts'
import { keepPhotosTx } from '../features/messages/photos/server/commands.ts'
import { readMessages, textCustomer } from '../features/messages/server/commands.ts'
import { receiveStrangerMail, receiveText } from '../features/messages/server/inbound/commands.ts'
import type { Actor } from '../platform/actor.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { toE164 } from '../shared/phone.ts'
import { brownPatch, lockedGate } from './photos.ts'

/** The inbox as an office leaves it in the evening: two conversations have somebody, one rests until tomorrow, and two have a note. */
export const tendInbox = async (owner: Actor): Promise<void> => {
  const { customers, people } = await withTenant(owner, async (db) => {
    const { rows } = await sql<{ id: string }>`
      select customer_id as id from messages
      where business_id = ${db.businessId} and direction = 'inbound' and customer_id is not null
      group by customer_id order by max(id::text) desc limit 3`.execute(db)
    return { customers: rows.map(({ id }) => id), people: await listConversationPeople(db) }
  })
  const versionOf = (customerId: string) =>
    withTenant(owner, async (db) => (await getConversation(db, owner, customerId)).version)
  const [first, second, third] = customers
  const other = people.find(({ id }) => id !== owner.userId)
  if (first && other) {
    await assignConversation(owner, first, { userId: other.id, version: await versionOf(first) })
    await addConversationNote(
      owner,
      first,
      'She asked the same last month. Offer to text the evening before each visit.',
    )
  }
  if (second) await assignConversation(owner, second, { userId: owner.userId, version: await versionOf(second) })
  if (third) {
    await snoozeConversation(owner, third, { until: 'tomorrow', version: await versionOf(third) })
    await addConversationNote(owner, third, 'Waits for the supplier: pine straw comes tomorrow.')
  }
}

/** Somebody sends a photo of a brown spot, and is answered with the crew's photo of the day. */
export const talkOverPhotos = async (owner: Actor): Promise<void> => {
  const { businessId } = owner
  const found = await withTenant(owner, async (db) => {
    const { rows } = await sql<{ id: string; phone: string; fileId: string }>`
      select c.id, c.phone, p.file_id as "fileId"
      from customers c join visits v on v.business_id = c.business_id and v.customer_id = c.id
        join visit_photos p on p.business_id = v.business_id and p.visit_id = v.id and p.kind = 'after'
      where c.business_id = ${businessId} and c.archived_at is null and c.phone is not null and c.language = 'en'
        and not exists (select from messages m where m.business_id = c.business_id and m.customer_id = c.id and m.direction = 'inbound')
        and not exists (select from suppressions s where s.business_id = c.business_id and s.address = c.phone)
      order by v.day desc, p.id limit 1`.execute(db)
    return rows[0]
  })
  const phone = found && toE164(found.phone)
  if (!found || !phone) return
  const providerId = 'demo-brown-patch'
  await receiveText(businessId, {
    from: phone,
    body: 'There is a brown spot by the mailbox. Is that from the heat, or grubs?',
    provider: 'demo',
    providerId,
  })
  const image = await storeImage(owner, await brownPatch())
  await withTenant(owner, async (db) => {
    const { id } = await db
      .selectFrom('messages')
      .select('id')
      .where('businessId', '=', businessId)
      .where('providerId', '=', providerId)
      .executeTakeFirstOrThrow()
    await keepPhotosTx(db, id, [image], [])
  })
  await readMessages(owner, { customerId: found.id })
  await textCustomer(owner, found.id, {
    text: 'That is from the heat: no grubs there. This is how the rest looked when we left. It will green up.',
    photos: [found.fileId],
  })
}

/** A page with a few lines, as a customer would export it. */
const onePage = (lines: readonly string[]): Buffer => {
  const words = lines.map((line) => `(${line}) Tj T*`).join(' ')
  const drawn = `BT /F1 13 Tf 60 720 Td 20 TL ${words} ET`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${drawn.length}>>stream\n${drawn}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let file = '%PDF-1.4\n'
  const at = objects.map((object, index) => {
    const from = file.length
    file += `${index + 1} 0 obj${object}endobj\n`
    return `${String(from).padStart(10, '0')} 00000 n \n`
  })
  const end = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${at.join('')}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${end}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

/** A customer mails a photo and the rules of their neighborhood. */
const mailFiles = async (owner: Actor): Promise<void> => {
  const { businessId } = owner
  const from = await withTenant(owner, async (db) => {
    const { rows } = await sql<{ name: string; email: string }>`
      select c.name, c.email from customers c
      where c.business_id = ${businessId} and c.archived_at is null and c.email is not null and c.language = 'en'
        and not exists (select from messages m where m.business_id = c.business_id and m.customer_id = c.id and m.direction = 'inbound')
        and not exists (select from customers t where t.business_id = c.business_id and t.email = c.email and t.id <> c.id)
        and not exists (select from suppressions s where s.business_id = c.business_id and s.address = c.email)
      order by c.id limit 1`.execute(db)
    return rows[0]
  })
  if (!from) return
  const rules = onePage(['Lawn and landscape rules', 'Mowing between 8 AM and 6 PM only.', 'Gates stay locked.'])
  const files = await keepMailFiles(businessId, [
    { name: 'back gate.jpg', mime: 'image/jpeg', related: false, bytes: await lockedGate() },
    { name: 'HOA rules.pdf', mime: 'application/pdf', related: false, bytes: rules },
  ])
  const mail = { messageId: 'demo-gate-mail@example.com', from: from.email, fromName: from.name }
  await receiveStrangerMail(
    businessId,
    {
      ...mail,
      subject: 'New lock on the back gate',
      text: 'Hi, the back gate has a lock now, see the photo. Our HOA also asked me to pass on their rules.',
    },
    files,
  )
}

/** Somebody nobody knows texts; one of the office has it, with a note. */
const askFromUnknown = async (owner: Actor): Promise<void> => {
  const address = '+19125550236'
  await receiveText(owner.businessId, {
    from: address,
    body: 'Hi, do you also do the strip behind 18 Habersham? My mother lives next door.',
    provider: 'demo',
    providerId: 'demo-unknown-strip',
  })
  const people = await withTenant(owner, (db) => listConversationPeople(db))
  const other = people.find(({ id }) => id !== owner.userId) ?? people[0]
  const { version } = await withTenant(owner, (db) => getNumberConversation(db, owner, address))
  if (other) await assignNumber(owner, address, { userId: other.id, version })
  await addNumberNote(owner, address, 'Called back, no answer. The strip is about 900 sq ft on the map.')
}

/** Of somebody with whom nothing was written yet the office left a note. */
const noteAlone = async (owner: Actor): Promise<void> => {
  const id = await withTenant(owner, async (db) => {
    const { rows } = await sql<{ id: string }>`
      select c.id from customers c
      where c.business_id = ${owner.businessId} and c.archived_at is null
        and not exists (select from messages m where m.business_id = c.business_id and m.customer_id = c.id)
      order by (c.email is null) desc, (c.phone is null) desc, c.id limit 1`.execute(db)
    return rows[0]?.id
  })
  if (id) await addConversationNote(owner, id, 'Prefers a call after 5 PM. Ask for the gate code when we talk.')
}

/** What the inbox can hold beside texts with customers. */
export const fillInbox = async (owner: Actor): Promise<void> => {
  await mailFiles(owner)
  await askFromUnknown(owner)
  await noteAlone(owner)
}
