import { createHash } from 'node:crypto'
import type { SystemActor } from '../../../../platform/actor.ts'
import {
  type BooksClient,
  BooksError,
  centsOf,
  quoted,
  type Ref,
  type Remote,
} from '../../../../platform/books/client.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { formatCents } from '../../../../shared/money.ts'
import { accountsOf, type Connection } from '../../connect/server/queries.ts'
import { askBooks } from '../../connect/server/token.ts'
import { goneThere, mostTries, problemOf, type Said, unreadOf, waitAfterLost } from '../../rules.ts'
import { changedRow, movedOf } from './changed.ts'
import { loadDocument } from './documents.ts'
import { changeRow, ensureRow, failRow, findLink, type Link, linkedIds, type Row, saveLink, settleRow } from './rows.ts'
import { type Document, markOf, type Need, type RefOf } from './shapes.ts'

// Sends one record: the books are brought to where ours stand now, whatever happened in between. Nothing of a transaction is open while they are asked.

type Work = { actor: SystemActor; connection: Connection }
export type Sent = 'done' | 'failed' | 'waits' | 'lost'

type StuckBy = Said & { seen?: { syncToken: string; totalCents: number } | undefined; move?: object | undefined }

/** A clear no that a person has to look at. */
class Stuck extends Error {
  readonly said: StuckBy
  constructor(said: StuckBy) {
    super(said.message)
    this.said = said
  }
}

const inTenant = <T>({ actor }: Work, work: (db: TenantDb) => Promise<T>): Promise<T> => withTenant(actor, work)
const ask = <T>({ actor, connection }: Work, work: (client: BooksClient) => Promise<T>): Promise<T> =>
  askBooks(actor, connection.realmId, work)

const digestOf = (body: Remote): string => createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 32)

/** Two letters of a kind: what is one record here and two there must not be the same request. */
const shortOf = (kind: Document['kind']): string => (kind === 'payout_back' ? 'pb' : kind.slice(0, 2))

/** The id of one request: the same for a repeat, another for what is made anew. At most 50 letters. */
const requestId = (document: Document, what: string): string =>
  `${shortOf(document.kind)}${document.id.replaceAll('-', '')}${what}`.slice(0, 50)

const isOurs = (record: Remote, id: string): boolean => (record.PrivateNote ?? record.Notes ?? '').includes(markOf(id))

const readThere = (work: Work, type: Document['type'], id: string): Promise<Remote | null> =>
  ask(work, (client) => client.readIfThere(type, id))

/** The same where everything hangs on the answer: a no of any other kind is told, and nothing is sent. */
const lookThere = (work: Work, type: Document['type'], id: string): Promise<Remote | null> =>
  readThere(work, type, id).catch((error: unknown) => {
    throw error instanceof BooksError && error.kind === 'fault' ? new Stuck(unreadOf(error.code)) : error
  })

/** One that a lost answer may have left there: known by our mark; a service or a way to pay, which have no note, by its name. */
const findLost = async (work: Work, document: Document, ref: RefOf, suffix: string): Promise<Remote | undefined> => {
  const found = await ask(work, (client) => client.find(document.type, document.lookFor(ref, suffix)))
  if (document.type !== 'Item' && document.type !== 'PaymentMethod')
    return found.find((record) => isOurs(record, document.id))
  const taken = await inTenant(work, (db) => linkedIds(db, work.connection, document.type, found))
  return found.find((record) => !taken.has(record.Id ?? ''))
}

/** Keeps what stands there now. Where its total is another one, `sent` stays empty: the next try says it once more. */
const keep = (work: Work, document: Document, made: Remote, sent: string, extra: Partial<Link> = {}): Promise<void> =>
  inTenant(work, (db) =>
    saveLink(db, work.connection, document, document.type, {
      remoteId: made.Id ?? null,
      syncToken: made.SyncToken ?? '0',
      sent: differs(document, made) ? '' : sent,
      state: 'live',
      ...(made.TotalAmt === undefined ? {} : { totalCents: centsOf(made.TotalAmt) }),
      ...extra,
    }),
  )

const differs = (document: Document, made: Remote): boolean =>
  document.totalCents !== null && made.TotalAmt !== undefined && centsOf(made.TotalAmt) !== document.totalCents

const compare = (document: Document, made: Remote): void => {
  if (differs(document, made))
    throw new Stuck({
      problem: 'differs',
      message: `QuickBooks makes it ${formatCents(centsOf(made.TotalAmt))}, in Swath it is ${formatCents(document.totalCents ?? 0)}. Mostly sales tax is counted in another way there: look at the tax settings, then try again.`,
    })
}

const twinOf = async (work: Work, type: 'Customer' | 'Item', name: string): Promise<Said['twin']> => {
  const field = type === 'Customer' ? 'DisplayName' : 'Name'
  const [found] = await ask(work, (client) => client.find(type, `${field} = ${quoted(name)}`)).catch(() => [])
  return found?.Id ? { id: found.Id, name: found[field] ?? name } : undefined
}

/** What a clear no means for a record, with who has its name there. */
const stuckBy = async (work: Work, document: Document, body: Remote, error: BooksError): Promise<Stuck> => {
  const said = problemOf(error.code, error.detail, document.label)
  const name = body.DisplayName ?? body.Name
  const type = document.type
  if (said.problem !== 'name_taken' || !name || (type !== 'Customer' && type !== 'Item')) return new Stuck(said)
  return new Stuck({ ...said, twin: await twinOf(work, type, name) })
}

const create = async (work: Work, row: Row, document: Document, ref: RefOf, link: Link | undefined): Promise<void> => {
  const again = link !== undefined && link.state !== 'live'
  const generation = (link?.generation ?? 1) + (again ? 1 : 0)
  const suffix = link?.suffix ?? ''
  const body = document.body(ref, suffix)
  await inTenant(work, async (db) => {
    await saveLink(db, work.connection, document, document.type, {
      generation,
      remoteId: null,
      state: 'live',
      sent: '',
    })
    await changeRow(db, row.id, { sendingAt: clock.iso() })
  })
  // Our own, from a try whose answer nobody got: what it says is what was sent then, so it is brought to where ours stands now.
  const adopt = async (lost: Remote): Promise<void> => {
    await keep(work, document, lost, '', { generation })
    const kept = await inTenant(work, (db) => findLink(db, work.connection, document))
    if (kept) await change(work, document, ref, kept, false)
  }
  if (document.type === 'PaymentMethod') {
    // Whoever keeps books has named how people pay: theirs is taken as it is.
    const theirs = await findLost(work, document, ref, suffix)
    if (theirs) return keep(work, document, theirs, digestOf(body), { generation, fromBooks: true })
  }
  const lost = row.sendingAt === null ? undefined : await findLost(work, document, ref, suffix)
  if (lost) return adopt(lost)
  let made: Remote
  try {
    made = await ask(work, (client) =>
      client.create(document.type, body, requestId(document, `g${generation}${suffix.replace(/\W/g, '')}`)),
    )
  } catch (error) {
    if (!(error instanceof BooksError) || error.kind !== 'fault') throw error
    const own =
      document.type === 'Item' ? undefined : await findLost(work, document, ref, suffix).catch(() => undefined)
    if (own) return adopt(own)
    throw await stuckBy(work, document, body, error)
  }
  await keep(work, document, made, digestOf(body), { generation })
  compare(document, made)
}

const change = async (work: Work, document: Document, ref: RefOf, link: Link, force: boolean): Promise<void> => {
  const { Notes: _notes, ...body } = document.body(ref, link.suffix)
  const sent = digestOf(document.body(ref, link.suffix))
  if (!force && sent === link.sent) return
  const Id = link.remoteId ?? ''
  const put = (SyncToken: string) =>
    ask(work, (client) =>
      client.update(
        document.type,
        { Id, SyncToken, sparse: true, ...body },
        requestId(document, `u${SyncToken}-${sent.slice(0, 6)}`),
      ),
    )
  const made = await put(link.syncToken).catch(async (error: unknown) => {
    if (!(error instanceof BooksError) || error.kind !== 'fault') throw error
    if (error.code !== '5010' || /account period/i.test(error.detail))
      throw await unlessGone(work, document, link, body, error)
    // Somebody else was there, or a payment that was put on it: read what stands, and say it once more.
    const now = await ask(work, (client) => client.read(document.type, Id))
    return put(now.SyncToken).catch(async (second: unknown) => {
      if (!(second instanceof BooksError) || second.kind !== 'fault') throw second
      if (second.code === '5010') throw new BooksError('lost', '5010', second.detail)
      throw await stuckBy(work, document, body, second)
    })
  })
  await keep(work, document, made, sent)
  compare(document, made)
}

/** Whether what a change was for was deleted there, which is another thing to do about. */
const unlessGone = async (
  work: Work,
  document: Document,
  link: Link,
  body: Remote,
  error: BooksError,
): Promise<Error> => {
  if (error.code !== '610') return stuckBy(work, document, body, error)
  return (await readThere(work, document.type, link.remoteId ?? ''))
    ? stuckBy(work, document, body, error)
    : new Stuck(goneThere)
}

const takeOut = async (work: Work, document: Document, link: Link): Promise<void> => {
  const Id = link.remoteId ?? ''
  const out = (SyncToken: string) =>
    ask(work, (client) =>
      document.kind === 'use'
        ? client.remove(document.type, Id, SyncToken, requestId(document, `d${SyncToken}g${link.generation}`))
        : client.takeOut(document.type, Id, SyncToken, requestId(document, `d${SyncToken}g${link.generation}`)),
    )
  await out(link.syncToken).catch(async (error: unknown) => {
    if (!(error instanceof BooksError) || error.kind !== 'fault') throw error
    const now = await readThere(work, document.type, Id)
    // deleted there already: it counts for nothing, as it should
    if (now === null) return
    if (error.code !== '5010') throw await stuckBy(work, document, {}, error)
    await out(now.SyncToken ?? link.syncToken)
  })
  await inTenant(work, (db) =>
    saveLink(db, work.connection, document, document.type, { state: 'void', sent: '', totalCents: 0 }),
  )
}

/** Whether payments wait in Undeposited Funds there, asked once: only then can a deposit name them one by one. */
const knowHolding = async (work: Work): Promise<Work> => {
  if (work.connection.holdsPayments !== null) return work
  const account = await readThere(work, 'Account', accountsOf(work.connection).deposit)
  const holdsPayments = account?.AccountSubType === 'UndepositedFunds'
  await inTenant(work, (db) =>
    db
      .updateTable('booksConnections')
      .set({ holdsPayments })
      .where('businessId', '=', db.businessId)
      .where('id', '=', work.connection.id)
      .execute(),
  )
  return { ...work, connection: { ...work.connection, holdsPayments } }
}

/** What never goes there, and went when it was something else, is taken out. What stands before the start day stays: the start may have been moved. */
const takeBack = async (work: Work, document: Document): Promise<void> => {
  const link = await inTenant(work, (db) => findLink(db, work.connection, document))
  if (!link?.remoteId || link.state !== 'live' || link.fromBooks) return
  const start = work.connection.startOn ?? ''
  if ((document.day ?? start) < start) {
    const there = await readThere(work, document.type, link.remoteId)
    if ((there?.TxnDate ?? '') < start) return
  }
  await takeOut(work, document, link)
}

/** Sends what a record needs before itself. @returns the row that it has to wait for, or null */
const sendNeeds = async (work: Work, needs: readonly Need[], refs: Map<string, string>): Promise<Row | null> => {
  for (const need of needs) {
    const known = await inTenant(work, (db) => findLink(db, work.connection, need))
    if (known?.remoteId && known.state === 'live') {
      refs.set(`${need.kind}:${need.id}`, known.remoteId)
      continue
    }
    const row = await inTenant(work, (db) => ensureRow(db, work.connection, need))
    if (row.status === 'skipped') {
      const left = await inTenant(work, (db) => loadDocument(db, work.connection, need.kind, need.id))
      throw new Stuck({
        problem: 'behind_skipped',
        message: `${left?.label ?? 'What it belongs to'} was left out of QuickBooks, so this cannot go by itself. Enter it there by hand and skip it here, or take that one up again first.`,
      })
    }
    if (row.status !== 'waiting') return row
    const sent = await sendRow(work, row)
    const link = await inTenant(work, (db) => findLink(db, work.connection, need))
    if (sent !== 'done' || !link?.remoteId) return row
    refs.set(`${need.kind}:${need.id}`, link.remoteId)
  }
  return null
}

/**
 * Looks at a record that could not be read before: what was done to it there is told, and stays until somebody says what counts. What came from there
 * is looked at as well, though nothing of it is ever sent.
 */
const lookAgain = async (work: Work, document: Document): Promise<void> => {
  const link = await inTenant(work, (db) => findLink(db, work.connection, document))
  if (!link?.remoteId || link.state !== 'live' || (document.state === 'none' && !link.fromBooks)) return
  const there = await lookThere(work, document.type, link.remoteId)
  const isSame =
    there !== null && (there.TotalAmt === undefined || [null, centsOf(there.TotalAmt)].includes(link.totalCents))
  const told = await inTenant(work, (db) =>
    isSame ? movedOf(db, work.connection, link, there) : changedRow(db, work.connection, link, there),
  )
  if (told) throw new Stuck({ ...told, ...told.detail })
}

const bring = async (work: Work, row: Row, document: Document): Promise<Sent> => {
  const link = await inTenant(work, (db) => findLink(db, work.connection, document))
  const stands = link?.remoteId !== null && link?.remoteId !== undefined && link.state === 'live'
  const refs = new Map<string, string>()
  const ref: RefOf = (kind, id): Ref => ({ value: refs.get(`${kind}:${id}`) ?? '' })
  if (document.state === 'void') {
    if (stands) await takeOut(work, document, link)
    else if (row.sendingAt !== null) {
      // A try whose answer nobody got may have left it there.
      const waitsFor = await sendNeeds(work, document.needs, refs)
      const lost = waitsFor ? undefined : await findLost(work, document, ref, link?.suffix ?? '')
      if (lost?.Id) {
        await keep(work, document, lost, '')
        const found = await inTenant(work, (db) => findLink(db, work.connection, document))
        if (found) await takeOut(work, document, found)
      }
    }
    return 'done'
  }
  // What came from there is theirs to change.
  if (link?.fromBooks) return 'done'
  const waitsFor = await sendNeeds(work, document.needs, refs)
  if (waitsFor) {
    await inTenant(work, async (db) => {
      const first = await loadDocument(db, work.connection, waitsFor.kind, waitsFor.localId)
      await changeRow(db, row.id, {
        problem: 'waits',
        message: `Waits for ${first?.label ?? 'something that it needs'}.`,
        detail: JSON.stringify({ for: waitsFor.id }),
        runAfter: new Date(clock.nowMs() + 600_000).toISOString(),
      })
    })
    return 'waits'
  }
  if (stands && row.problem === 'resend' && !(await lookThere(work, document.type, link.remoteId ?? ''))) {
    const gone = { state: 'gone', remoteId: null } as const
    await inTenant(work, (db) => saveLink(db, work.connection, document, document.type, gone))
    await create(work, { ...row, sendingAt: null }, document, ref, { ...link, ...gone })
  } else if (stands) await change(work, document, ref, link, row.problem === 'force' || row.problem === 'resend')
  else await create(work, row, document, ref, link)
  return 'done'
}

const lose = (work: Work, row: Row, error: BooksError): Promise<Sent> =>
  inTenant(work, async (db) => {
    const tries = row.tries + 1
    const change = { tries, message: 'QuickBooks did not answer. It is tried again by itself.' }
    if (tries >= mostTries) {
      await changeRow(db, row.id, change)
      const message = `QuickBooks did not answer ${tries} times (${error.code}). Whether it arrived is looked up before anything is sent again.`
      await changeRow(db, row.id, { status: 'failed', problem: 'unreachable', message })
      return 'failed'
    }
    await changeRow(db, row.id, {
      ...change,
      runAfter: new Date(clock.nowMs() + waitAfterLost(tries) * 1000).toISOString(),
    })
    return 'lost'
  })

/**
 * Brings the books to where a record of ours stands, and books what came of it.
 * @throws BooksStopped when nobody lets us in, BooksError `busy` when we asked too much: the row waits as before
 */
export const sendRow = async (asked: Work, row: Row): Promise<Sent> => {
  let work = asked
  try {
    if (row.kind === 'payout') work = await knowHolding(asked)
  } catch (error) {
    if (error instanceof BooksError && error.kind === 'lost') return lose(asked, row, error)
    throw error
  }
  const document = await inTenant(work, (db) => loadDocument(db, work.connection, row.kind, row.localId))
  try {
    // what goes out there, or is done by hand there, is so whatever stands there
    if (document && row.problem === 'look' && document.state !== 'void' && !document.because)
      await lookAgain(work, document)
    if (document?.state === 'none') await takeBack(work, document)
    if (!document || (document.state === 'none' && !document.because)) {
      await inTenant(work, (db) => settleRow(db, row))
      return 'done'
    }
    if (document.state === 'none') {
      const byHand = document.byHand === true
      await inTenant(work, (db) =>
        failRow(db, row, {
          problem: byHand && !document.tryAgain ? 'by_hand' : 'other',
          message: document.because ?? '',
          status: byHand ? 'failed' : 'skipped',
        }),
      )
      return 'failed'
    }
    const sent = await bring(work, row, document)
    if (sent === 'done') await inTenant(work, (db) => settleRow(db, row))
    return sent
  } catch (error) {
    if (error instanceof Stuck) {
      const { problem, message, twin, seen, move } = error.said
      const detail = { ...(twin ? { twin } : {}), ...(seen ? { seen } : {}), ...(move ? { move } : {}) }
      await inTenant(work, (db) => failRow(db, row, { problem, message, detail }))
      return 'failed'
    }
    if (error instanceof BooksError && error.kind === 'lost') return lose(work, row, error)
    throw error
  }
}
