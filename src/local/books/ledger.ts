import { type Remote, type RemoteType, remoteTypes } from '../../platform/books/client.ts'
import type { BooksRequest } from '../../platform/books/peer.ts'
import { clock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { hmacToken, isHmacToken } from '../../platform/keys.ts'
import { create, Refused, remove, update, voidIt } from './records.ts'
import { all, changed, erase, inBooks, type Kept, read, type Tx, takeFault, write } from './store.ts'

// The books of this computer as an HTTP peer: the same addresses, shapes and numbers of errors as QuickBooks Online.

export type Answer = { status: number; body: unknown }

const fault = (status: number, code: string, detail: string): Answer => ({
  status,
  body: { Fault: { Error: [{ Message: detail.split(' : ')[0], Detail: detail, code }], type: 'ValidationFault' } },
})

const typeAt = (segment: string | undefined) => remoteTypes.find((type) => type.toLowerCase() === segment)

type Condition = { field: string; sign: string; values: string[] }
const clause = /^([\w.]+)\s*(>=|<=|=|>|<|like|in)\s*(.+)$/i
const text = /'((?:\\.|[^'\\])*)'/g

const conditionOf = (part: string): Condition => {
  const [, field = '', sign = '', rest = ''] = clause.exec(part.trim()) ?? []
  const values = [...rest.matchAll(text)].map((found) => (found[1] ?? '').replace(/\\(.)/g, '$1'))
  return { field, sign: sign.toLowerCase(), values: values.length > 0 ? values : [rest.trim()] }
}

const textOf = (record: Kept, field: string): string => {
  if (field === 'PrimaryEmailAddr') return record.PrimaryEmailAddr?.Address ?? ''
  const value = (record as Record<string, unknown>)[field]
  return typeof value === 'object' && value !== null
    ? String((value as { value?: string }).value ?? '')
    : String(value ?? '')
}

const fits = (record: Kept, { field, sign, values }: Condition): boolean => {
  const value = textOf(record, field)
  const [first = ''] = values
  if (sign === 'in') return values.includes(value)
  if (sign === 'like')
    return new RegExp(`^${first.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('%', '.*')}$`, 'i').test(value)
  if (sign === '=')
    return field === 'DisplayName' || field === 'Name' ? value.toLowerCase() === first.toLowerCase() : value === first
  return sign === '>=' ? value >= first : sign === '<=' ? value <= first : sign === '>' ? value > first : value < first
}

const statement = /^select \* from (\w+)(?: where (.+?))?(?: startposition (\d+))?(?: maxresults (\d+))?$/i

const query = async (tx: Tx, realm: string, asked: string): Promise<Answer> => {
  const [, name = '', where, start = '1', most = '100'] = statement.exec(asked.trim()) ?? []
  const type = typeAt(name.toLowerCase())
  if (!type) return fault(400, '4000', `Error parsing query : ${asked}`)
  const conditions = where ? where.split(/\s+and\s+/i).map(conditionOf) : []
  const rows = (await all(tx, realm, type))
    .filter((record) => record.status !== 'Deleted' && conditions.every((one) => fits(record, one)))
    .slice(Number(start) - 1, Number(start) - 1 + Number(most))
  return { status: 200, body: { QueryResponse: rows.length > 0 ? { [type]: rows } : {} } }
}

const done = (tx: Tx, realm: string, type: RemoteType, search: URLSearchParams, record: Remote): Promise<Kept> => {
  if (search.get('operation') === 'delete') return remove(tx, realm, type, record)
  if (search.get('operation') === 'void' || search.get('include') === 'void') return voidIt(tx, realm, type, record)
  return record.Id ? update(tx, realm, type, record) : create(tx, realm, type, record)
}

/** Does a change once per request id: a repeat gets the first answer, also when what it made is gone since. */
const change = async (
  tx: Tx,
  realm: string,
  segment: string,
  search: URLSearchParams,
  record: Remote,
): Promise<Answer> => {
  const type = typeAt(segment)
  if (!type) return fault(400, '2010', `Request has invalid or unsupported property : ${segment}`)
  const key = search.get('requestid')
  const before = key ? await read<Answer>(tx, realm, '_request', key) : null
  if (before) return before
  try {
    const answer = { status: 200, body: { [type]: await done(tx, realm, type, search, record) } }
    if (key) await write(tx, realm, '_request', key, answer)
    return answer
  } catch (error) {
    // What is refused is refused before anything is written.
    if (!(error instanceof Refused)) throw error
    return fault(400, error.code, error.message)
  }
}

const changes = async (tx: Tx, realm: string, search: URLSearchParams): Promise<Answer> => {
  const since = new Date(search.get('changedSince') ?? 0).toISOString()
  const found: Record<string, Kept[]>[] = []
  for (const name of (search.get('entities') ?? '').split(','))
    found.push({ [name]: await changed(tx, realm, name, since) })
  return { status: 200, body: { CDCResponse: [{ QueryResponse: found }] } }
}

const tokenSpan = 3600
const apiPath = '/local/books/v3/company/'

/** Answers a call of the accounting API. Null is an answer that got lost on its way: what was asked for is done all the same. */
const answerApi = async (url: URL, { method, headers, body }: BooksRequest): Promise<Answer | null> => {
  const [realm = '', segment = '', id] = url.pathname.replace(apiPath, '').split('/').map(decodeURIComponent)
  const bearer = (headers.authorization ?? '').replace(/^Bearer /, '')
  let isLost = false
  const answer = await inBooks(async (tx): Promise<Answer> => {
    const token = await read<{ realm: string; until: number }>(tx, '', '_access', bearer)
    if (token?.realm !== realm || token.until < clock.nowMs()) return fault(401, '3200', 'message=AuthenticationFailed')
    if (await takeFault(tx, realm, '429')) return fault(429, '3001', 'message=ThrottleExceeded')
    if (await takeFault(tx, realm, 'down')) return fault(503, '503', 'The service is away')
    if (method === 'POST') {
      isLost = await takeFault(tx, realm, 'lost')
      return change(tx, realm, segment, url.searchParams, JSON.parse(body ?? '{}') as Remote)
    }
    if (segment === 'query') return query(tx, realm, url.searchParams.get('query') ?? '')
    if (segment === 'cdc') return changes(tx, realm, url.searchParams)
    if (await takeFault(tx, realm, '5020'))
      return fault(400, '5020', 'Permission Denied Error : You do not have access')
    const type = typeAt(segment)
    const found = type ? await read<Kept>(tx, realm, type, id ?? '') : null
    return type && found && found.status !== 'Deleted'
      ? { status: 200, body: { [type]: found } }
      : fault(400, '610', `Object Not Found : ${segment} ${id}`)
  })
  return isLost ? null : answer
}

/** Codes, and the tokens they are traded for: the refresh token changes each time, and one that was used is good no more. */
const answerTokens = async (form: URLSearchParams): Promise<Answer> => {
  const refused: Answer = { status: 400, body: { error: 'invalid_grant', error_description: 'Token invalid' } }
  return inBooks(async (tx) => {
    const isCode = form.get('grant_type') === 'authorization_code'
    const kind = isCode ? '_code' : '_refresh'
    const key = form.get(isCode ? 'code' : 'refresh_token') ?? ''
    const found = await read<{ realm: string }>(tx, '', kind, key)
    if (!found) return refused
    await erase(tx, '', kind, key)
    const [access, refresh] = [`at-${newId()}`, `rt-${newId()}`]
    await write(tx, '', '_access', access, { realm: found.realm, until: clock.nowMs() + tokenSpan * 1000 })
    await write(tx, '', '_refresh', refresh, { realm: found.realm })
    const traded = (await read<{ count: number }>(tx, found.realm, '_counter', 'tokens'))?.count ?? 0
    await write(tx, found.realm, '_counter', 'tokens', { count: traded + 1 })
    return {
      status: 200,
      body: { token_type: 'bearer', access_token: access, refresh_token: refresh, expires_in: tokenSpan },
    }
  })
}

/** The whole peer: what the client of the books would get over the network. @throws TypeError for an answer that got lost */
export const askLocalBooks = async (address: string, request: BooksRequest): Promise<Response> => {
  const url = new URL(address)
  const reply = (answer: Answer) =>
    new Response(JSON.stringify(answer.body), {
      status: answer.status,
      headers: { 'content-type': 'application/json' },
    })
  if (url.pathname === '/local/books/token') return reply(await answerTokens(new URLSearchParams(request.body)))
  if (url.pathname === '/local/books/revoke') {
    const token = new URLSearchParams(request.body).get('token') ?? ''
    await inBooks((tx) => erase(tx, '', '_refresh', token))
    return new Response(null, { status: 200 })
  }
  const answer = await answerApi(url, request)
  if (!answer) throw new TypeError('fetch failed: the connection was reset')
  return reply(answer)
}

/** A code that is good once, for a company that somebody chose. */
export const giveCode = async (realm: string): Promise<string> => {
  const code = `code-${newId()}`
  await inBooks((tx) => write(tx, '', '_code', code, { realm }))
  return code
}

/** The company of a business on this computer, by a name: the same name is the same company. */
export const realmNamed = (name: string): string =>
  `9${BigInt(
    `0x${Buffer.from(hmacToken('webhook-local', `books:${name}`))
      .toString('hex')
      .slice(0, 14)}`,
  )}`.slice(0, 16)

/** A link to look into a company of this computer, which nobody can guess. */
export const lookToken = (realm: string): string => hmacToken('webhook-local', `books-look:${realm}`)
export const mayLook = (realm: string, token: string): boolean =>
  isHmacToken('webhook-local', `books-look:${realm}`, token)
