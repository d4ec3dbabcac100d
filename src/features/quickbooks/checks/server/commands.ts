import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { centsOf, type Remote, type RemoteType } from '../../../../platform/books/client.ts'
import { booksPeer } from '../../../../platform/books/peer.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { refuse } from '../../../../shared/can.ts'
import { AppError, invalid, notFound } from '../../../../shared/errors.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { daysOfMonth } from '../../../invoices/closing/rules.ts'
import { type Connection, findConnection, stateOf } from '../../connect/server/queries.ts'
import { askBooksNow } from '../../connect/server/token.ts'
import type { Books, Difference, MonthCheck } from '../../contract.ts'
import { askToSend } from '../../queue/server/commands.ts'
import { loadDocument } from '../../queue/server/documents.ts'
import { findMoves, movedRow, paymentsOf } from '../../queue/server/moved.ts'
import { changeRow, ensureRow, failRow, findAhead, findRow, type Link } from '../../queue/server/rows.ts'
import { type BooksKind, booksRefusals, kindLabels, repairsOf } from '../../rules.ts'
import { getBooks, hrefOf } from '../../server/queries.ts'
import { kinds, listOurs, type Ours } from './ours.ts'
import { isAboutOurs, isTheirType, isUsed, keyOf, knowTheirs, listLeft, type Theirs } from './theirs.ts'

const mostDifferences = 200
const types: readonly RemoteType[] = ['Invoice', 'Payment', 'CreditMemo', 'Purchase', 'Deposit']

type Linked = Pick<Link, 'kind' | 'localId' | 'remoteType' | 'remoteId' | 'state' | 'fromBooks' | 'syncToken'>

/** Links of records that stand in one of the two lists: never all there are. */
const listLinks = async (db: TenantDb, connection: Connection, ours: readonly Ours[], theirs: readonly string[]) => {
  const { rows } =
    await sql<Linked>`select kind, local_id, remote_type, remote_id, state, from_books, sync_token from books_links
    where business_id = ${db.businessId} and connection_id = ${connection.id} and kind not in ('customer', 'item', 'method')
      and (local_id = any(${ours.map(({ id }) => id)}::uuid[]) or remote_id = any(${[...theirs]}::text[]))`.execute(db)
  return rows
}

/** Payments of ours that came from there, with the id of the payment there: of several invoices at once it is one, and only its first part is linked. */
const listParts = async (
  db: TenantDb,
  connection: Connection,
  ours: readonly Ours[],
): Promise<ReadonlyMap<string, string>> => {
  const prefix = `qbo:${connection.realmId}:`
  const { rows } = await sql<{ id: string; whole: string }>`
    select id, books_payment_id as whole from payments where business_id = ${db.businessId}
      and id = any(${ours.flatMap(({ id, kind }) => (kind === 'payment' ? [id] : []))}::uuid[]) and books_payment_id is not null`.execute(
    db,
  )
  return new Map(rows.flatMap(({ id, whole }) => (whole.startsWith(prefix) ? [[id, whole.slice(prefix.length)]] : [])))
}

/** Ours of a span that are linked and not among theirs of that span: dated otherwise there, sent since theirs were listed, or gone. */
const listAbsent = async (db: TenantDb, connection: Connection, ours: readonly Ours[], theirs: Theirs) => {
  const typeOfOurs = new Map(ours.map(({ id, kind, type }) => [keyOf(kind, id), type]))
  const linked = (await listLinks(db, connection, ours, [])).flatMap(({ kind, localId, remoteId, state }) => {
    const type = typeOfOurs.get(keyOf(kind, localId))
    return type && remoteId && state === 'live' && !theirs.has(keyOf(type, remoteId)) ? [{ type, remoteId }] : []
  })
  const known = new Set(linked.map(({ type, remoteId }) => keyOf(type, remoteId)))
  const parts = [...new Set((await listParts(db, connection, ours)).values())].flatMap((remoteId) => {
    const key = keyOf('Payment', remoteId)
    return known.has(key) || theirs.has(key) ? [] : [{ type: 'Payment' as const, remoteId }]
  })
  return [...linked, ...parts]
}

const compare = async (
  db: TenantDb,
  connection: Connection,
  ours: readonly Ours[],
  theirs: Theirs,
  elsewhere: Theirs,
): Promise<Pick<MonthCheck, 'sums' | 'differences' | 'left'>> => {
  const { peer } = booksPeer()
  const links = await listLinks(
    db,
    connection,
    ours,
    [...theirs.values()].map(({ record }) => record.Id ?? ''),
  )
  const byLocal = new Map(links.map((link) => [keyOf(link.kind, link.localId), link]))
  const byRemote = new Map(links.map((link) => [keyOf(link.remoteType, link.remoteId ?? ''), link]))
  const sums = new Map<BooksKind, MonthCheck['sums'][number]>(
    kinds.map((kind) => [kind, { kind, count: 0, oursCents: 0, theirsCents: 0 }]),
  )
  const add = (kind: BooksKind, side: 'oursCents' | 'theirsCents', cents: number) => {
    const sum = sums.get(kind)
    if (sum) sum[side] += cents
  }
  const differences: Difference[] = []
  const left: Difference[] = []
  const leftOnes = await listLeft(db, connection, theirs)
  const { invoices, people } = await knowTheirs(db, connection, theirs)
  const missing: Ours[] = []
  const say = async (
    one: Partial<Difference> & Pick<Difference, 'kind' | 'localId' | 'label' | 'oursCents' | 'theirsCents' | 'why'>,
    type: RemoteType,
    remoteId: string | null,
  ) => {
    const list = leftOnes.has(keyOf(type, remoteId ?? '')) && one.why === 'only_there' ? left : differences
    list.push({
      theirsDay: null,
      waitsFor: null,
      pays: null,
      isInQueue: false,
      theirs: null,
      who: null,
      twin: null,
      repairs: [],
      reason: '',
      ...one,
      href: one.localId ? await hrefOf(db, one.kind, one.localId) : null,
      remoteUrl: remoteId && peer ? peer.pageOf(connection.realmId, type, remoteId) : null,
    })
  }
  const partOf = await listParts(db, connection, ours)
  const seen = new Set<string>()
  const pairs: Pair[] = []
  for (const { kind, id, label, cents, day, type, isWhole, isTip } of ours) {
    const sum = sums.get(kind)
    if (sum) sum.count += 1
    if (sum && kind === 'movement' && isTip) sum.tips = (sum.tips ?? 0) + 1
    add(kind, 'oursCents', cents)
    const link = byLocal.get(keyOf(kind, id))
    const there = link?.remoteId && link.state === 'live' ? theirs.get(keyOf(type, link.remoteId)) : undefined
    const words = isWhole ? label : `${kindLabels[kind]} ${label}`
    const partsOf = link ? await paymentsOf(db, connection, link) : []
    const together = partsOf.reduce((all, part) => all + (ours.find((one) => one.id === part)?.cents ?? 0), 0)
    if (there && link?.remoteId) {
      seen.add(keyOf(type, link.remoteId))
      const theirsCents = centsOf(there.record.TotalAmt)
      add(kind, 'theirsCents', theirsCents)
      if (together !== theirsCents)
        await say(
          { kind, localId: id, label: words, oursCents: together, theirsCents, why: 'amount' },
          type,
          link.remoteId,
        )
      else if (kind === 'payment')
        pairs.push({ link, label: words, cents: theirsCents, paymentIds: partsOf, remote: there.record })
      continue
    }
    const other = link?.remoteId && link.state === 'live' ? elsewhere.get(keyOf(type, link.remoteId)) : undefined
    if (other) {
      const theirsDay = other.record.TxnDate ?? null
      const theirsCents = centsOf(other.record.TotalAmt)
      await say(
        // of several invoices at once it is one payment there: what is ours of it are all its parts
        { kind, localId: id, label: words, oursCents: together, theirsCents, why: 'other_month', theirsDay },
        type,
        link?.remoteId ?? null,
      )
      continue
    }
    // A part of a payment that came from there as one, and that still stands there: it was counted with its first part.
    const whole = link ? undefined : partOf.get(id)
    const wholeKey = keyOf('Payment', whole ?? '')
    if (whole && (theirs.has(wholeKey) || elsewhere.has(wholeKey))) continue
    missing.push({ kind, id, label, cents, day, type })
    const row = await findRow(db, connection, { kind, id })
    const why = row?.status === 'waiting' ? 'waiting' : row ? 'not_sent' : 'missing_there'
    const ahead = row?.status === 'waiting' ? await findAhead(db, connection, row) : undefined
    const waitsFor = ahead ? ((await loadDocument(db, connection, ahead.kind, ahead.localId))?.label ?? null) : null
    await say(
      { kind, localId: id, label: words, oursCents: cents, theirsCents: null, why, waitsFor },
      type,
      link?.remoteId ?? null,
    )
  }
  for (const { link, label, cents, isInQueue, ...pays } of await listMoved(db, connection, pairs)) {
    // one that was made there is not sent from here
    const theirs = link.fromBooks ? { type: 'Payment' as const, id: link.remoteId ?? '' } : null
    const facts = { kind: link.kind, localId: link.localId, label, oursCents: cents, theirsCents: cents, theirs }
    await say({ ...facts, why: 'other_invoice', pays, isInQueue }, 'Payment', link.remoteId)
  }
  for (const { type, record } of theirs.values()) {
    const key = keyOf(type, record.Id ?? '')
    const cents = centsOf(record.TotalAmt)
    if (seen.has(key) || cents === 0) continue
    const link = byRemote.get(key)
    // Expenses, deposits and payments of other work are entered there by hand all the time; only what is about our work is ours to name.
    if (!link && !isAboutOurs(type, record, invoices)) continue
    const kind = link?.kind ?? (type === 'CreditMemo' ? 'credit' : type === 'Payment' ? 'payment' : 'invoice')
    if (kind === 'use') continue
    const isLeft = leftOnes.get(key)
    if (isLeft === undefined) add(kind, 'theirsCents', cents)
    const label = `${kindLabels[kind]} ${record.DocNumber ?? record.PaymentRefNum ?? record.Id ?? ''}`
    const facts = { kind, localId: link?.localId ?? null, label, theirsCents: cents, theirsDay: record.TxnDate ?? null }
    const at = link || isLeft !== undefined ? -1 : missing.findIndex((one) => one.kind === kind && one.cents === cents)
    const [twin] = at < 0 ? [] : missing.splice(at, 1)
    if (link || !isTheirType(type))
      await say({ ...facts, oursCents: 0, theirsDay: null, why: 'amount' }, type, record.Id ?? null)
    else
      await say(
        {
          ...facts,
          oursCents: null,
          why: 'only_there',
          theirs: { type, id: record.Id ?? '' },
          who: people.get(record.CustomerRef?.value ?? '') ?? null,
          twin: twin ? { localId: twin.id, label: `${kindLabels[kind]} ${twin.label}` } : null,
          repairs: isLeft === undefined ? repairsOf(type, twin !== undefined, isUsed(record)) : ['list_again'],
          reason: isLeft ?? '',
        },
        type,
        record.Id ?? null,
      )
  }
  return { sums: [...sums.values()], differences, left }
}

type Pair = { link: Linked; label: string; cents: number; paymentIds: string[]; remote: Remote }

/** Payments of the same amount that pay other invoices there. What nobody settled yet stands among what needs somebody from now on. */
const listMoved = async (db: TenantDb, connection: Connection, pairs: readonly Pair[]) => {
  const moves = await findMoves(db, connection, pairs)
  const found: (Pick<Pair, 'link' | 'label' | 'cents'> & { ours: string; theirs: string; isInQueue: boolean })[] = []
  for (const [at, move] of moves.entries()) {
    const pair = pairs[at]
    if (!move || !pair) continue
    const { link, label, cents, remote } = pair
    const key = { kind: link.kind, id: link.localId }
    const row = await findRow(db, connection, key)
    // what was changed here and is on its way there is no difference
    if (row?.status === 'waiting') continue
    const isNews = remote.SyncToken !== link.syncToken
    if (isNews && row?.status !== 'failed')
      await failRow(db, await ensureRow(db, connection, key), movedRow(link, move, remote))
    found.push({
      link,
      label,
      cents,
      ours: move.oursWords,
      theirs: move.theirsWords,
      isInQueue: isNews || row !== undefined,
    })
  }
  return found
}

const noAnswer = 'Something went wrong on our side while the month was checked. Nothing was changed; please try again.'

/** Asks the books for a month; that they did not answer is kept, because a word that vanishes from the screen is read by nobody. */
const askKept = async <T>(actor: Actor, month: string, work: Parameters<typeof askBooksNow<T>>[1]): Promise<T> => {
  try {
    return await askBooksNow(actor, work)
  } catch (error) {
    await withTenant(actor, async (db) => {
      const connection = await findConnection(db)
      if (!connection) return
      const values = { failedAt: clock.iso(), problem: error instanceof AppError ? error.message : noAnswer }
      await db
        .insertInto('booksChecks')
        .values({ businessId: db.businessId, connectionId: connection.id, month, ...values })
        .onConflict((c) => c.columns(['businessId', 'connectionId', 'month']).doUpdateSet(values))
        .execute()
      await publishChange(db, 'books')
    })
    throw error
  }
}

/** Holds a month against the books, as both stand now, and keeps what was found. Nothing is changed on either side. */
export const checkMonth = async (actor: Actor, month: string): Promise<MonthCheck> => {
  const { from, to } = daysOfMonth(month)
  await withTenant(actor, async (db) => {
    const connection = await findConnection(db)
    refuse(booksRefusals.send({ state: stateOf(booksPeer().peer, connection), reason: null }))
    if (from > (await todayOf(db))) throw invalid([{ path: 'month', message: 'This month has not begun yet' }])
    if (to < (connection?.startOn ?? ''))
      throw invalid([{ path: 'month', message: 'This month is before your start day' }])
  })
  const found = await askKept(actor, month, async (client, connection) => {
    const theirs = new Map<string, { type: RemoteType; record: Remote }>()
    const start = connection.startOn && connection.startOn > from ? connection.startOn : from
    for (const type of types)
      for (const record of await client.list(type, `TxnDate >= '${start}' and TxnDate <= '${to}'`))
        theirs.set(keyOf(type, record.Id ?? ''), { type, record })
    const absent = await withTenant(actor, async (db) =>
      listAbsent(db, connection, await listOurs(db, connection, from, to), theirs),
    )
    const elsewhere = new Map<string, { type: RemoteType; record: Remote }>()
    for (const { type, remoteId } of absent.slice(0, mostDifferences)) {
      const record = await client.readIfThere(type, remoteId)
      if (!record) continue
      const isHere = (record.TxnDate ?? '') >= start && (record.TxnDate ?? '') <= to
      const side = isHere ? theirs : elsewhere
      side.set(keyOf(type, remoteId), { type, record })
    }
    return { theirs, elsewhere, connection }
  })
  return withTenant(actor, async (db) => {
    const { theirs, elsewhere, connection } = found
    const ours = await listOurs(db, connection, from, to)
    const { sums, differences, left } = await compare(db, connection, ours, theirs, elsewhere)
    const check: MonthCheck = {
      month,
      checkedAt: clock.iso(),
      sums,
      differences: differences.slice(0, mostDifferences),
      left: left.slice(0, mostDifferences),
      more: differences.length > mostDifferences,
    }
    const values = {
      result: JSON.stringify(check),
      checkedAt: check.checkedAt,
      checkedBy: actor.userId,
      failedAt: null,
      problem: '',
    }
    await db
      .insertInto('booksChecks')
      .values({ businessId: db.businessId, connectionId: connection.id, month, ...values })
      .onConflict((c) => c.columns(['businessId', 'connectionId', 'month']).doUpdateSet(values))
      .execute()
    await publishChange(db, 'books')
    return check
  })
}

/** Sends a record that a check found missing or different, as it stands here. Whether it still is so is asked there before: the check may be old, or the button pressed twice. */
export const resend = (actor: Actor, input: { month: string; kind: BooksKind; localId: string }): Promise<Books> =>
  withTenant(actor, async (db) => {
    const connection = await findConnection(db)
    const key = { kind: input.kind, id: input.localId }
    const document = connection ? await loadDocument(db, connection, key.kind, key.id) : null
    if (!connection || !document) throw notFound('record')
    refuse(booksRefusals.send({ state: stateOf(booksPeer().peer, connection), reason: null }))
    const row = await ensureRow(db, connection, key)
    await changeRow(db, row.id, { status: 'waiting', problem: 'resend', message: '', tries: 0, runAfter: clock.iso() })
    await askToSend(db)
    await audit(db, actor, 'books.resend', { type: 'books', id: row.id }, { after: key })
    await publishChange(db, 'books')
    return getBooks(db, actor)
  })
