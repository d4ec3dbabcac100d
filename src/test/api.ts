import type { FastifyInstance, InjectOptions } from 'fastify'
import { buildServer } from '../app-server.ts'
import { globalTasks, tasks } from '../app-tasks.ts'
import { asBusinessId } from '../platform/db/tenant.ts'
import { signAccessToken } from '../platform/http/session.ts'
import { runDueTasks } from '../platform/tasks/runner.ts'
import type { CallInput, Endpoint, ResponseOf } from '../shared/endpoint.ts'
import type { ErrorBody } from '../shared/errors.ts'
import { type Role, sessionKindOf } from '../shared/roles.ts'
import { renewDatabase, useDatabase } from './database.ts'

const world = globalThis as { swathTestServer?: Promise<FastifyInstance> }

/** The server of this test worker; asked directly, through its whole HTTP path. */
export const testServer = async (): Promise<FastifyInstance> => {
  await useDatabase()
  world.swathTestServer ??= buildServer()
  return world.swathTestServer
}

/** From here on this worker has a server and a database of their own: what ran before reaches nothing that comes after. */
export const renewTestServer = async (): Promise<FastifyInstance> => {
  await (await world.swathTestServer)?.close()
  delete world.swathTestServer
  await renewDatabase()
  return testServer()
}

/** Runs all background work that is due, also what that causes. */
export const runTasks = async (): Promise<void> => {
  await testServer()
  await runDueTasks(tasks, globalTasks)
}

export type Answer<T> = {
  status: number
  body: T
  error: ErrorBody
  headers: Record<string, unknown>
  text: string
  bytes: Buffer
}

/** A caller of the API: a signed-in person or a stranger. Errors come back as answers, never thrown. */
export type Api = {
  /** Calls an endpoint of a contract. `body` is typed as a success; look at `status` first, or use `ok`. */
  call: <E extends Endpoint>(
    endpoint: E,
    input: CallInput<E>,
    headers?: Record<string, string>,
  ) => Promise<Answer<ResponseOf<E>>>
  /** The same, but fails the test with the server's words when the answer is not a success. */
  ok: <E extends Endpoint>(endpoint: E, input: CallInput<E>, headers?: Record<string, string>) => Promise<ResponseOf<E>>
  raw: (options: InjectOptions) => Promise<Answer<never>>
  token: string | null
}

const fill = (path: string, params: Record<string, unknown> | undefined): string =>
  path.replace(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(String(params?.[name] ?? '')))

export const apiWith = (token: string | null, role: Role | null = null): Api => {
  const raw: Api['raw'] = async (options) => {
    const app = await testServer()
    const headers = {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(role ? { 'x-client-app': sessionKindOf(role) } : {}),
      ...(options.headers as Record<string, string> | undefined),
    }
    const response = await app.inject({ ...options, headers })
    const json = /json/.test(String(response.headers['content-type'] ?? '')) ? response.json() : undefined
    return {
      status: response.statusCode,
      body: json as never,
      error: json as ErrorBody,
      headers: response.headers,
      text: response.body,
      bytes: response.rawPayload,
    }
  }
  const call: Api['call'] = async (endpoint, input, headers = {}) => {
    const { params, query, body } = input as {
      params?: Record<string, unknown>
      query?: Record<string, unknown>
      body?: unknown
    }
    const search = new URLSearchParams()
    for (const [key, value] of Object.entries(query ?? {})) {
      for (const item of Array.isArray(value) ? value : [value])
        if (item !== undefined && item !== null) search.append(key, String(item))
    }
    const isBytes = body instanceof Uint8Array
    return (await raw({
      method: endpoint.method,
      url: fill(endpoint.path, params) + (search.size ? `?${search}` : ''),
      headers: { ...(isBytes ? { 'content-type': 'image/jpeg' } : {}), ...headers },
      ...(body === undefined ? {} : { payload: isBytes ? Buffer.from(body) : (body as object) }),
    })) as never
  }
  const ok: Api['ok'] = async (endpoint, input, headers) => {
    const answer = await call(endpoint, input, headers)
    if (answer.status !== 200)
      throw new Error(`${endpoint.method} ${endpoint.path} answered ${answer.status}: ${JSON.stringify(answer.error)}`)
    return answer.body
  }
  return { call, ok, raw, token }
}

/** A caller without a session. */
export const stranger: Api = apiWith(null)

/** A bearer caller for a person whose session row exists. */
export const apiFor = async (person: {
  businessId: string
  userId: string
  sessionId: string
  role: Role
}): Promise<Api> =>
  apiWith(
    await signAccessToken({
      businessId: asBusinessId(person.businessId),
      userId: person.userId,
      sessionId: person.sessionId,
      tokenVersion: 1,
    }),
    person.role,
  )
