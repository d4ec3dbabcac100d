import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { buildServer } from '../../src/app-server.ts'
import { demoPassword } from '../../src/demo/business.ts'
import { makeDemo } from '../../src/demo/demo.ts'
import { connectDatabase } from '../../src/platform/db/database.ts'
import { freshIds, type Script, type Step, workOf } from './script.ts'

// The server as it is, in a process of its own; first it writes down what each endpoint asks of the database.

const [url = '', scriptFile = ''] = process.argv.slice(2)
connectDatabase({ url })
await makeDemo()
const app = await buildServer()
const signIn = await app.inject({
  method: 'POST',
  url: '/api/auth/login',
  headers: { 'x-client-app': 'admin' },
  payload: { email: 'owner@demo.swath.test', password: demoPassword },
})
const headers = { authorization: `Bearer ${signIn.json().token}`, 'x-client-app': 'admin' }

const asked = [
  { name: 'customers, first page', method: 'GET', path: '/api/customers', payload: null },
  { name: 'day board', method: 'GET', path: '/api/visits/day-board', payload: null },
  { name: 'dashboard', method: 'GET', path: '/api/dashboard', payload: null },
  { name: 'me', method: 'GET', path: '/api/profile', payload: null },
  {
    name: 'create customer',
    method: 'POST',
    path: '/api/customers',
    payload: {
      name: 'Rita Odom',
      allowDuplicate: true,
      property: { street: '1 Oak St', city: 'Savannah', state: 'GA' },
    },
  },
] as const

const record = async (one: (typeof asked)[number]): Promise<{ steps: Step[]; answer: unknown }> => {
  const steps: Step[] = []
  const query = pg.Client.prototype.query
  pg.Client.prototype.query = function (this: pg.Client, ...call: unknown[]) {
    const [first, values] = call as [string | Step, unknown[]]
    steps.push(
      typeof first === 'string' ? { text: first, values: values ?? [] } : { text: first.text, values: first.values },
    )
    return (query as (...all: unknown[]) => unknown).apply(this, call)
  } as typeof query
  const answer = await app.inject({
    method: one.method,
    url: one.path,
    headers: { ...headers, ...(one.payload ? { 'idempotency-key': randomUUID() } : {}) },
    ...(one.payload ? { payload: one.payload } : {}),
  })
  pg.Client.prototype.query = query
  if (answer.statusCode !== 200) throw new Error(`${one.path} answered ${answer.statusCode}: ${answer.body}`)
  return { steps: workOf(steps), answer: answer.json() }
}

const scripts: Script[] = []
for (const one of asked) {
  const [before, after] = [await record(one), await record(one)]
  scripts.push({ ...one, steps: after.steps, fresh: freshIds(before.steps, after.steps), answer: after.answer })
}
writeFileSync(scriptFile, JSON.stringify(scripts))
await app.listen({ port: 0, host: '127.0.0.1' })
process.on('message', () => process.send?.(process.cpuUsage()))
// an end of its own accord: only then is a profile written
process.on('disconnect', () => process.exit(0))
process.send?.({ port: (app.server.address() as AddressInfo).port, headers })
