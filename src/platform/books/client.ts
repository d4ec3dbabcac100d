import { takeTurn } from './pace.ts'
import type { BooksPeer } from './peer.ts'

// The part of the accounting API of QuickBooks Online that we use: developer.intuit.com, minor version 75.

export const remoteTypes = [
  'Account',
  'CompanyInfo',
  'CreditMemo',
  'Customer',
  'Deposit',
  'Invoice',
  'Item',
  'Payment',
  'PaymentMethod',
  'Purchase',
  'TaxCode',
] as const
export type RemoteType = (typeof remoteTypes)[number]

export type Ref = { value: string; name?: string }
/** `TxnLineId` only where a deposit names what it takes to the bank. */
type Linked = { TxnId: string; TxnType: string; TxnLineId?: string }
/** A line of a transaction: what is sold, what it is paid with, or an account. Amounts are dollars as text, so that no cent is lost. */
export type RemoteLine = {
  Id?: string
  Amount: string | number
  Description?: string
  DetailType?:
    | 'SalesItemLineDetail'
    | 'DiscountLineDetail'
    | 'AccountBasedExpenseLineDetail'
    | 'DepositLineDetail'
    | 'SubTotalLineDetail'
  LinkedTxn?: Linked[]
  SalesItemLineDetail?: { ItemRef: Ref; Qty?: number; UnitPrice?: string; TaxCodeRef?: Ref; ServiceDate?: string }
  DiscountLineDetail?: { PercentBased: boolean; DiscountAccountRef?: Ref }
  AccountBasedExpenseLineDetail?: { AccountRef: Ref; CustomerRef?: Ref }
  DepositLineDetail?: { AccountRef: Ref }
}
/** A record of the books, as far as we read or write it. */
export type Remote = {
  Id?: string
  SyncToken?: string
  sparse?: boolean
  status?: string
  Active?: boolean
  MetaData?: { LastUpdatedTime?: string }
  DisplayName?: string
  CompanyName?: string
  GivenName?: string
  FamilyName?: string
  PrimaryEmailAddr?: { Address: string }
  PrimaryPhone?: { FreeFormNumber: string }
  BillAddr?: Record<string, string>
  Notes?: string
  Name?: string
  AccountType?: string
  AccountSubType?: string
  Type?: string
  IncomeAccountRef?: Ref
  DocNumber?: string
  TxnDate?: string
  DueDate?: string
  CustomerRef?: Ref
  BillEmail?: { Address: string }
  PrivateNote?: string
  Line?: RemoteLine[]
  TxnTaxDetail?: { TotalTax?: string | number; TxnTaxCodeRef?: Ref }
  GlobalTaxCalculation?: string
  TotalAmt?: string | number
  Balance?: string | number
  PaymentRefNum?: string
  PaymentMethodRef?: Ref
  DepositToAccountRef?: Ref
  PaymentType?: string
  AccountRef?: Ref
  EntityRef?: Ref & { type?: string }
}

/**
 * An answer that was no success.
 * - `auth`: the access token was not taken; `busy`: too many requests, wait; `lost`: nobody knows whether it was done; `fault`: a clear no
 */
export class BooksError extends Error {
  readonly kind: 'auth' | 'busy' | 'lost' | 'fault'
  readonly code: string
  readonly detail: string
  constructor(kind: BooksError['kind'], code: string, detail: string, cause?: unknown) {
    super(`${kind} ${code}: ${detail}`, { cause })
    this.name = 'BooksError'
    this.kind = kind
    this.code = code
    this.detail = detail
  }
}

const timeoutMs = 30_000
const minorVersion = '75'
/** The most records of one answer. */
export const pageSize = 500
/** The most records of a kind in one answer about changes. */
const mostChanged = 1000

type Fault = { Fault?: { Error?: { code?: string; Message?: string; Detail?: string }[] } }

const faultOf = (status: number, text: string): BooksError => {
  let body: Fault = {}
  try {
    body = JSON.parse(text) as Fault
  } catch {
    // a proxy's page: the status says enough
  }
  const first = body.Fault?.Error?.[0]
  const code = first?.code ?? String(status)
  const detail = (first?.Detail ?? first?.Message ?? '').slice(0, 500)
  if (status === 401) return new BooksError('auth', code, detail)
  if (status === 429 || code === '3001') return new BooksError('busy', code, detail)
  if (status >= 500) return new BooksError('lost', code, detail)
  return new BooksError('fault', code, detail)
}

/** A text in a query of theirs. */
export const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

export type BooksClient = ReturnType<typeof booksClient>

/**
 * Asks the books of one company. Amounts go as text with two decimals.
 * @param token the access token that is good now
 */
export const booksClient = (peer: BooksPeer, realmId: string, token: string) => {
  const ask = async (method: 'GET' | 'POST', path: string, query: Record<string, string>, body?: object) => {
    const search = new URLSearchParams({ ...query, minorversion: minorVersion })
    let answer: Response
    let text: string
    if (peer.isPaced) await takeTurn(realmId)
    try {
      answer = await peer.fetch(`${peer.apiUrl}/v3/company/${encodeURIComponent(realmId)}/${path}?${search}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(timeoutMs),
      })
      text = await answer.text()
    } catch (error) {
      throw new BooksError('lost', 'network', String(error).slice(0, 300), error)
    }
    if (!answer.ok) throw faultOf(answer.status, text)
    // some faults come with a 200
    if (text.includes('"Fault"')) throw faultOf(400, text)
    try {
      return JSON.parse(text) as Record<string, unknown>
    } catch (error) {
      throw new BooksError('lost', 'answer', 'The answer could not be read.', error)
    }
  }
  const one = (type: RemoteType, answer: Record<string, unknown>): Remote & { Id: string; SyncToken: string } => {
    const found = answer[type] as Remote | undefined
    if (!found?.Id) throw new BooksError('lost', 'answer', `The answer holds no ${type}.`)
    return { ...found, Id: found.Id, SyncToken: found.SyncToken ?? '0' }
  }
  const post = async (type: RemoteType, body: Remote, requestid: string, query: Record<string, string> = {}) =>
    one(type, await ask('POST', type.toLowerCase(), { ...query, requestid }, body))
  const page = async (type: RemoteType, where: string, start: number): Promise<Remote[]> => {
    const statement = `select * from ${type}${where ? ` where ${where}` : ''} startposition ${start} maxresults ${pageSize}`
    const answer = await ask('GET', 'query', { query: statement })
    return ((answer.QueryResponse as Record<string, Remote[]> | undefined)?.[type] ?? []) as Remote[]
  }
  const read = async (type: RemoteType, id: string) =>
    one(type, await ask('GET', `${type.toLowerCase()}/${encodeURIComponent(id)}`, {}))
  /** All records that a condition names, page by page. @throws BooksError `fault` where there are more than `most`: half of them would look like all */
  const list = async (type: RemoteType, where: string, most = 50_000): Promise<Remote[]> => {
    const all: Remote[] = []
    for (let start = 1; start <= most; start += pageSize) {
      const rows = await page(type, where, start)
      all.push(...rows)
      if (rows.length < pageSize) return all
    }
    throw new BooksError('fault', 'too-many', `QuickBooks holds more than ${most} records of the kind ${type} here`)
  }
  return {
    create: (type: RemoteType, body: Remote, requestId: string) => post(type, body, requestId),
    update: (type: RemoteType, body: Remote & { Id: string; SyncToken: string }, requestId: string) =>
      post(type, body, requestId),
    /** Takes a transaction out: voided where the API has that, else deleted. */
    takeOut: async (type: RemoteType, Id: string, SyncToken: string, requestId: string): Promise<void> => {
      const query: Record<string, string> =
        type === 'Invoice'
          ? { operation: 'void' }
          : type === 'Payment'
            ? { operation: 'update', include: 'void' }
            : { operation: 'delete' }
      await post(type, { Id, SyncToken, ...(type === 'Payment' ? { sparse: true } : {}) }, requestId, query)
    },
    /** Deletes a transaction that only put one thing on another. */
    remove: async (type: RemoteType, Id: string, SyncToken: string, requestId: string): Promise<void> => {
      await post(type, { Id, SyncToken }, requestId, { operation: 'delete' })
    },
    read,
    /** The same, or null where it was deleted. @throws BooksError for anything else */
    readIfThere: (type: RemoteType, id: string): Promise<Remote | null> =>
      read(type, id).catch((error: unknown) => {
        if (error instanceof BooksError && error.kind === 'fault' && error.code === '610') return null
        throw error
      }),
    /** The first records that a condition names. */
    find: (type: RemoteType, where: string) => page(type, where, 1),
    list,
    /** What was changed or deleted since an instant. One answer holds so many of a kind and says nothing of more: those are asked for page by page. */
    changedSince: async (
      types: readonly RemoteType[],
      since: string,
    ): Promise<{ type: RemoteType; record: Remote }[]> => {
      const answer = await ask('GET', 'cdc', { entities: types.join(','), changedSince: since })
      const parts = (answer.CDCResponse as { QueryResponse?: Record<string, Remote[]>[] }[] | undefined) ?? []
      const changed = parts
        .flatMap((part) => part.QueryResponse ?? [])
        .flatMap((found) => types.flatMap((type) => (found[type] ?? []).map((record) => ({ type, record }))))
      for (const type of types) {
        if (changed.filter((one) => one.type === type).length < mostChanged) continue
        const known = new Set(changed.map(({ type: kind, record }) => `${kind}:${record.Id}`))
        for (const record of await list(type, `MetaData.LastUpdatedTime >= ${quoted(since)}`))
          if (!known.has(`${type}:${record.Id}`)) changed.push({ type, record })
      }
      return changed
    },
  }
}

/** Cents as the books take them. */
export const dollarsOf = (cents: number): string => (cents / 100).toFixed(2)

/** Dollars of the books as cents. */
export const centsOf = (dollars: string | number | undefined): number => Math.round(Number(dollars ?? 0) * 100)
