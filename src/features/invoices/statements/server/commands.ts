import { z } from 'zod'
import { type Actor, type SystemActor, userIdOf, type Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { button, paragraph, rows, small, writeLetter } from '../../../../platform/mail/letter.ts'
import { enqueueAll, taskName } from '../../../../platform/tasks/task.ts'
import { AppError, conflict, invalid } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { firstNameOf } from '../../../../shared/names.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import type { Language } from '../../../businesses/notices/rules.ts'
import { contactOf } from '../../../businesses/rules.ts'
import { addDocumentTx } from '../../../files/server/commands.ts'
import { isReached, reachWords, unreachedWords } from '../../../messages/paperways/rules.ts'
import { queuePaperTx } from '../../../messages/paperways/server/commands.ts'
import { getPaperReach } from '../../../messages/paperways/server/queries.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { billToOfCustomer } from '../../papers/server/queries.ts'
import { drawFor, getSender } from '../../server/commands.ts'
import { statementText } from '../../server/texts.ts'
import { dayIn } from '../../words/rules.ts'
import { periodProblem, statementSums } from '../rules.ts'
import { statementUrlTx } from './links.ts'
import { statementPaper } from './paper.ts'
import { findOpenStatements, getStatement, isOwing } from './queries.ts'

export { statementUrlTx } from './links.ts'

type Period = { from: string; to: string }

const words = {
  en: {
    span: (from: string, to: string) => `${from} to ${to}`,
    subject: (from: string, span: string) => `Statement from ${from}, ${span}`,
    title: 'Statement',
    hello: (name: string) => `Hello ${name},`,
    lead: (span: string) => `Here is your statement from ${span}. Every entry is in the PDF.`,
    press: 'See and pay what is open',
    file: (from: string, to: string) => `Statement ${from} to ${to}`,
  },
  es: {
    span: (from: string, to: string) => `${from} al ${to}`,
    subject: (from: string, span: string) => `Estado de cuenta de ${from}, ${span}`,
    title: 'Estado de cuenta',
    hello: (name: string) => `Hola ${name}:`,
    lead: (span: string) => `Aquí está su estado de cuenta del ${span}. Cada movimiento está en el PDF.`,
    press: 'Ver y pagar lo pendiente',
    file: (from: string, to: string) => `Estado de cuenta ${from} a ${to}`,
  },
} satisfies Record<Language, unknown>

const spanOf = (language: Language, { from, to }: Period): string =>
  words[language].span(dayIn(language, from, { year: true }), dayIn(language, to, { year: true }))

/** As its customer reads it. */
const read = (actor: Who, customerId: string, { from, to }: Period) =>
  withTenant(actor, async (db) => {
    const { language } = await getPaperReach(db, customerId)
    return {
      language,
      statement: await getStatement(db, customerId, from, to, language),
      url: await statementUrlTx(db, customerId),
      to: (await billToOfCustomer(db, customerId)).to,
      sender: await getSender(db),
    }
  })

type Found = Awaited<ReturnType<typeof read>>

const draw = async (actor: Who, { statement, sender, to, url, language }: Found) => {
  const paper = statementPaper(statement, to, url, sender.invoiceTerms, language)
  const drawn = await drawFor(actor.businessId, sender, paper)
  return { ...drawn, name: words[language].file(statement.from, statement.to) }
}

/** A customer's statement as PDF. @throws like getStatement */
export const printStatement = async (actor: Actor, customerId: string, period: Period) =>
  draw(actor, await read(actor, customerId, period))

const letterOf = ({ statement, sender, url, language }: Found) => {
  const t = words[language]
  return writeLetter({
    language,
    from: sender.name,
    brandColor: sender.brandColor,
    title: t.title,
    parts: [
      paragraph(t.hello(firstNameOf(statement.customer.name))),
      paragraph(t.lead(spanOf(language, statement))),
      rows(
        ...statementSums(statement, language).map(({ label, cents, strong }) => ({
          label,
          value: formatCents(cents),
          strong,
        })),
      ),
      ...statement.notes.map(paragraph),
      button(t.press, url),
      small([sender.name, contactOf(sender)].filter(Boolean).join('\n')),
    ],
  })
}

/**
 * Sends a customer their statement as they have their papers.
 * @param key which sending it is: the same one leaves once
 * @throws like getStatement, and state_conflict where nothing reaches them
 */
const sendTo = async (actor: Who, customerId: string, period: Period, key: string): Promise<{ address: string }> => {
  const found = await read(actor, customerId, period)
  const { name, reach } = found.statement.customer
  if (!isReached(reach))
    throw conflict(`${name} ${unreachedWords(reach)}. Add an e-mail to the customer, or print the statement.`)
  const { stored, name: title } = await draw(actor, found)
  const userId = userIdOf(actor)
  return withTenant(actor, async (db) => {
    const file = `${title}.pdf`
    const sent = await queuePaperTx(db, {
      customerId,
      ...(userId ? { userId } : {}),
      entity: { type: 'statement', id: customerId },
      asks: found.statement.closingCents > 0,
      dedupeKey: `statement:${customerId}:${key}`,
      mail: async () => {
        const fileId = await addDocumentTx(db, 'invoice', { ...stored, mime: 'application/pdf', name: file })
        return {
          subject: words[found.language].subject(found.sender.name, spanOf(found.language, period)),
          ...letterOf(found),
          attachments: [{ fileId, name: file }],
        }
      },
      text: (language) =>
        statementText(found.sender.name, formatCents(found.statement.closingCents), language, found.url),
    })
    await audit(db, actor, 'statement.send', { type: 'customer', id: customerId }, { after: period })
    return { address: reachWords(sent, formatPhone) }
  })
}

/** Sends a customer their statement. @throws like getStatement, and state_conflict where nothing reaches them */
export const sendStatement = (actor: Actor, customerId: string, period: Period): Promise<{ address: string }> =>
  sendTo(actor, customerId, period, newId())

/** Draws and sends one of many statements; the work stands in tasks.ts. */
export const sendStatementTask = taskName({
  name: 'invoices.sendStatement',
  payload: z.object({ customerId: z.uuid(), from: z.string(), to: z.string(), run: z.uuid() }),
})

/** Asks for the statements of all who owe, each once. @throws state_conflict where they are other people than were counted */
export const sendOpenStatements = (
  actor: Actor,
  { from, to, count }: Period & { count: number },
): Promise<{ count: number }> =>
  withTenant(actor, async (db) => {
    const problem = periodProblem(from, to)
    if (problem) throw invalid([{ path: 'from', message: problem }])
    const { ids } = await findOpenStatements(db)
    if (ids.length !== count)
      throw conflict(
        'Somebody paid, or was invoiced, in the meantime. Nothing was sent: look at the new number and press again.',
      )
    const run = newId()
    await enqueueAll(
      db,
      sendStatementTask,
      ids.map((customerId) => ({ payload: { customerId, from, to, run }, key: `${customerId}:${run}` })),
    )
    await audit(db, actor, 'statement.sendAll', { type: 'business', id: db.businessId }, { after: { from, to, count } })
    return { count }
  })

/** One of many statements. Who paid since is not written to, and the office hears of one that could not be made. */
export const sendOneOfMany = async (
  actor: SystemActor,
  { customerId, from, to, run }: z.output<typeof sendStatementTask.payload>,
): Promise<void> => {
  if (!(await withTenant(actor, (db) => isOwing(db, customerId)))) return
  try {
    await sendTo(actor, customerId, { from, to }, run)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    await withTenant(actor, (db) =>
      notifyOffice(db, {
        type: 'invoice',
        title: 'A statement was not sent',
        content: error.message,
        customerId,
        path: linkTo.customer(customerId, { part: 'invoices' }),
        dedupeKey: `statement:${customerId}:${run}`,
      }),
    )
  }
}
