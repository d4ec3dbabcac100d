import { createHash } from 'node:crypto'
import { clock } from '../../../platform/clock.ts'
import { config } from '../../../platform/config.ts'
import { withProspects } from '../../../platform/db/prospects.ts'
import { newId } from '../../../platform/ids.ts'
import type { BodyOf } from '../../../shared/endpoint.ts'
import { invalid } from '../../../shared/errors.ts'
import type { leadsApi } from '../contract.ts'
import { queueProspectMessage } from '../outbox/server/commands.ts'
import { contactTopics, leadProblems, looksLikeEmail } from '../rules.ts'
import { oneLine } from './one-line.ts'

type Message = BodyOf<typeof leadsApi.contact>

/** A message of the contact form, tidied. @throws validation_failed in the words of the form */
export const checkedMessage = (input: Message) => {
  const name = oneLine(input.name)
  const email = input.email.trim().toLowerCase()
  const message = input.message.replace(/\r\n?/g, '\n').trim()
  const given = { name, email, message }
  const missing = (['name', 'email', 'message'] as const).filter((field) => given[field] === '')
  if (missing.length > 0) throw invalid(missing.map((path) => ({ path, message: leadProblems.missing })))
  if (!looksLikeEmail(email) || email.length > 254) throw invalid([{ path: 'email', message: leadProblems.email }])
  if (name.length > 120) throw invalid([{ path: 'name', message: 'Please use a name of at most 120 characters' }])
  if (message.length > 5000) throw invalid([{ path: 'message', message: 'Please shorten this to 5,000 characters' }])
  return given
}

/**
 * Takes a message of the contact form: stored, and on its way to support, whose answer goes to the writer. The same message sent twice on one day is
 * one. A form that a machine filled is thrown away without a word.
 * @throws validation_failed in the words of the form
 */
export const receiveContact = async (input: Message): Promise<void> => {
  const { name, email, message } = checkedMessage(input)
  const topic = (contactTopics as readonly string[]).includes(input.topic) ? input.topic : 'Something else'
  if (input.company !== '') return
  const now = clock.iso()
  const print = createHash('sha256')
    .update(JSON.stringify([email, topic, message]))
    .digest('hex')
    .slice(0, 32)
  const dedupeKey = `contact:${print}:${now.slice(0, 10)}`
  await withProspects(async (db) => {
    const known = await db.selectFrom('messages').select('id').where('dedupeKey', '=', dedupeKey).executeTakeFirst()
    if (known) return
    await queueProspectMessage(db, {
      leadId: null,
      channel: 'email',
      purpose: 'internal',
      address: config.supportEmail,
      replyTo: email,
      subject: `${topic}: ${name}`,
      text: `${name} (${email}) wrote on the contact page.\n\n${message}`,
      dedupeKey,
    })
    await db
      .insertInto('contactMessages')
      .values({ id: newId(), name, email, topic, message, createdAt: now })
      .execute()
  })
}
