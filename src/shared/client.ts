import { isListRead, retriesOf } from './client-rules.ts'
import type { CallInput, Endpoint, Method, ResponseOf } from './endpoint.ts'
import type { ErrorBody, ErrorCode, FieldError } from './errors.ts'
import { createKeyRing } from './keyRing.ts'
import { noteLost, noteReached } from './reached.ts'

/** What the caller of an endpoint catches. `code` is `network` when no answer came and `timeout` when it took too long. */
export class ApiError extends Error {
  readonly code: ErrorCode | 'network' | 'timeout'
  readonly status: number
  readonly errors: FieldError[]
  readonly requestId: string | undefined
  readonly details: Record<string, unknown>
  constructor(code: ErrorCode | 'network' | 'timeout', message: string, status: number, body?: Partial<ErrorBody>) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.status = status
    this.errors = body?.errors ?? []
    this.requestId = body?.requestId
    this.details = body?.details ?? {}
  }
}

/** The server's own words, or `otherwise` when it had none or did not answer. */
export const serverMessage = (error: unknown, otherwise: string): string =>
  error instanceof ApiError && error.status > 0 && error.requestId ? error.message : otherwise

export type ClientOptions = {
  baseUrl: string
  fetch: typeof fetch
  /** Bearer token of this tab's session, or null. */
  token: () => string | null
  /** Which of the two sessions a request means. */
  clientApp: () => 'admin' | 'employee'
  /** Called once per request on a 401; true means that the request may be sent again. */
  refresh: () => Promise<boolean>
  /** Why the last refresh said neither yes nor no, say because the server is away: a 401 that it could not mend is then no word about who this is. */
  outage: () => ApiError | null
  sleep: (ms: number) => Promise<void>
  newKey: () => string
  now: () => number
  timeoutMs: number
  retries: number
  retryBaseMs: number
}

const defaults: ClientOptions = {
  baseUrl: '',
  fetch: (...args) => globalThis.fetch(...args),
  token: () => null,
  clientApp: () => 'admin',
  refresh: async () => false,
  outage: () => null,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  newKey: () => globalThis.crypto.randomUUID(),
  now: () => Date.now(),
  timeoutMs: 120_000,
  retries: 3,
  retryBaseMs: 1_000,
}

let options: ClientOptions = defaults

/** Set by the session layer of each web entry. */
export const configureClient = (changes: Partial<ClientOptions>): void => {
  options = { ...options, ...changes }
}

/** Method and path are all that a call needs to know of an endpoint at run time; the rest are types. */
export type Route<E extends Endpoint> = { method: Method; path: string; readonly __endpoint?: E }

let tab: string | undefined

/** Names this tab to the server, so that it knows the echo of its own changes. */
export const tabId = (): string => {
  tab ??= globalThis.crypto.randomUUID()
  return tab
}

let wroteAt = 0

/** When this tab last had the answer to a change that it asked for. */
export const lastWriteAt = (): number => wroteAt

const fill = (path: string, params: Record<string, unknown> | undefined): string =>
  path.replace(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(String(params?.[name] ?? '')))

/** The address of a call with its path parameters and query filled in. */
export const urlOf = (route: { path: string }, input: { params?: unknown; query?: unknown } = {}): string => {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries((input.query ?? {}) as Record<string, unknown>)) {
    if (value === undefined || value === null || value === '') continue
    for (const item of Array.isArray(value) ? value : [value]) query.append(key, String(item))
  }
  const text = query.toString()
  return (
    options.baseUrl + fill(route.path, input.params as Record<string, unknown> | undefined) + (text ? `?${text}` : '')
  )
}

const once = async (url: string, init: RequestInit, timeoutMs: number, signal?: AbortSignal): Promise<Response> => {
  const timer = AbortSignal.timeout(timeoutMs)
  try {
    const response = await options.fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, timer]) : timer })
    // what answers may be a proxy whose server is away
    if (response.status < 502) noteReached()
    return response
  } catch (cause) {
    if (signal?.aborted) throw cause
    noteLost()
    if (timer.aborted) throw new ApiError('timeout', 'This took too long. Nothing was lost; please try again.', 0)
    throw new ApiError('network', 'We could not reach Swath. Check your connection and try again.', 0)
  }
}

const toError = async (response: Response): Promise<ApiError> => {
  const body = (await response.json().catch(() => ({}))) as Partial<ErrorBody>
  return new ApiError(
    body.code ?? 'internal',
    body.message ?? 'Something went wrong on our side. Nothing was lost; please try again.',
    response.status,
    body,
  )
}

/** The last answer of a read with its ETag: the same again comes back as 304 without its body. */
const cache = new Map<string, { etag: string; text: string }>()
const cacheSize = 60

/** Forgets the answers kept for reads; when the person changes. */
export const clearCache = (): void => cache.clear()

const store = (url: string, etag: string | null, text: string): void => {
  cache.delete(url)
  if (!etag || text.length > 500_000) return
  cache.set(url, { etag, text })
  const oldest = cache.keys().next().value
  if (cache.size > cacheSize && oldest !== undefined) cache.delete(oldest)
}

const bodyOf = async (url: string, method: Method, response: Response): Promise<unknown> => {
  if (response.status === 204) return undefined
  if (method !== 'GET') return response.json()
  const known = response.status === 304 ? cache.get(url) : undefined
  if (known) return JSON.parse(known.text)
  const text = await response.text()
  store(url, response.headers.get('etag'), text)
  return JSON.parse(text)
}

export type CallOptions = {
  signal?: AbortSignal
  /** Give one to repeat the same wish after a lost answer; else each call makes its own and keeps it over its retries; one with a version in its body also over the person's. */
  idempotencyKey?: string
  retries?: number
  /** Another session than this tab's: its token goes along, and nothing is refreshed. */
  token?: string
  /** The body goes compressed, where the browser can and it is worth it: for much that leaves over a weak signal. */
  squeeze?: boolean
}

const worthSqueezing = 1024

const squeezed = (text: string): Promise<ArrayBuffer> =>
  new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer()

/** With the version that it was filled with, the same form is the same wish, however long its answer was lost. */
const saves = createKeyRing(() => options.newKey())

const send = <E extends Endpoint, T>(
  route: Route<E> | E,
  input: CallInput<E>,
  extra: CallOptions,
  read: (response: Response, url: string) => Promise<T>,
): Promise<T> => {
  const url = urlOf(route, input)
  const body = (input as { body?: unknown }).body
  const attempt = (key?: string) => sendAs(key, url, body, route, extra, read)
  if (route.method === 'GET') return attempt()
  if (extra.idempotencyKey) return attempt(extra.idempotencyKey)
  const isSave = typeof (body as { version?: unknown } | undefined)?.version === 'number'
  return isSave ? saves.run([route.method, url, body], attempt) : attempt(options.newKey())
}

const sendAs = async <T>(
  key: string | undefined,
  url: string,
  body: unknown,
  route: { method: Method; path: string },
  extra: CallOptions,
  read: (response: Response, url: string) => Promise<T>,
): Promise<T> => {
  const isBlob = typeof Blob !== 'undefined' && body instanceof Blob
  const request = async (): Promise<Response> => {
    const headers: Record<string, string> = { accept: 'application/json', 'x-client-app': options.clientApp() }
    const token = extra.token ?? options.token()
    if (token) headers.authorization = `Bearer ${token}`
    if (key) {
      headers['idempotency-key'] = key
      headers['x-tab'] = tabId()
    }
    const known = route.method === 'GET' ? cache.get(url) : undefined
    if (known) headers['if-none-match'] = known.etag
    if (isBlob) headers['content-type'] = (body as Blob).type || 'application/octet-stream'
    else if (body !== undefined) headers['content-type'] = 'application/json'
    const text = body === undefined || isBlob ? undefined : JSON.stringify(body)
    const isSqueezed = extra.squeeze && text && text.length > worthSqueezing && typeof CompressionStream !== 'undefined'
    if (isSqueezed) headers['content-encoding'] = 'gzip'
    const payload = isBlob ? (body as Blob) : isSqueezed ? await squeezed(text) : text
    const address = isListRead(route.method, route.path)
      ? `${url}${url.includes('?') ? '&' : '?'}_t=${options.now()}`
      : url
    return once(
      address,
      {
        method: route.method,
        headers,
        credentials: 'same-origin',
        ...(payload === undefined ? {} : { body: payload }),
      },
      options.timeoutMs,
      extra.signal,
    )
  }
  const attempts = extra.retries ?? retriesOf(route.method, route.path, options.retries)
  let refreshed = false
  for (let attempt = 0; ; attempt++) {
    let failure: ApiError
    try {
      const response = await request()
      if (response.ok || (response.status === 304 && cache.has(url))) {
        if (key) wroteAt = Date.now()
        return await read(response, url)
      }
      failure = await toError(response)
      if (response.status === 401 && !refreshed && extra.token === undefined) {
        if (await options.refresh()) {
          refreshed = true
          attempt -= 1
          continue
        }
        const outage = options.outage()
        refreshed = outage === null
        failure = outage ?? failure
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      failure = error
    }
    const again = failure.status === 0 || failure.status >= 500
    if (!again || attempt >= attempts) throw failure
    await options.sleep(options.retryBaseMs * 2 ** attempt)
  }
}

/**
 * Calls an endpoint: bearer token, client-app header, one refresh on 401, 120 s time-out, up to 3 retries for lost answers,
 * time-outs and 5xx (1 s, doubling; other counts for the calendar in client-rules.ts). List reads carry the time as `_t`, so that
 * nothing between here and the server answers from a cache. A retry carries the same Idempotency-Key, so it cannot do the thing twice, nor be told of
 * its own first try as somebody else's change.
 * @throws ApiError
 */
export const call = <E extends Endpoint>(
  route: Route<E> | E,
  input: CallInput<E>,
  extra: CallOptions = {},
): Promise<ResponseOf<E>> =>
  send(route, input, extra, async (response, url) => (await bodyOf(url, route.method, response)) as ResponseOf<E>)

/**
 * Fetches a file as this person, as a call would: a link could not carry who asks. `name` is what the server calls it.
 * @throws ApiError
 */
export const fetchFile = <E extends Endpoint>(
  route: Route<E> | E,
  input: CallInput<E>,
  extra: CallOptions = {},
): Promise<{ blob: Blob; name: string | null }> =>
  send(route, input, extra, async (response) => ({
    blob: await response.blob(),
    name: /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? null,
  }))
