import { ownerApi } from '../features/owner/contract.ts'
import { applicationApi } from '../features/prospects/application/contract.ts'
import { callsApi } from '../features/prospects/calls/contract.ts'
import { leadsApi } from '../features/prospects/contract.ts'
import { newId } from '../platform/ids.ts'
import { type Api, apiWith, stranger } from './api.ts'

let address = 0

/** A caller without a session, from an address of its own: the limit of one test is not the limit of all. */
export const aVisitor = (): Api => {
  address += 1
  const remoteAddress = `10.7.${Math.floor(address / 250)}.${address % 250}`
  const raw: Api['raw'] = (options) => stranger.raw({ ...options, remoteAddress })
  const call: Api['call'] = async (endpoint, input, headers = {}) => {
    const { params, query, body } = input as { params?: object; query?: object; body?: object }
    const path = endpoint.path.replace(/:([A-Za-z]+)/g, (_, name: string) =>
      encodeURIComponent(String((params as Record<string, string> | undefined)?.[name] ?? '')),
    )
    const search = new URLSearchParams(query as Record<string, string> | undefined)
    return (await raw({
      method: endpoint.method,
      url: path + (search.size ? `?${search}` : ''),
      headers,
      ...(body === undefined ? {} : { payload: body }),
    })) as never
  }
  const ok: Api['ok'] = async (endpoint, input, headers) => {
    const answer = await call(endpoint, input, headers)
    if (answer.status !== 200)
      throw new Error(`${endpoint.method} ${endpoint.path} answered ${answer.status}: ${answer.text}`)
    return answer.body
  }
  return { call, ok, raw, token: null }
}

/** The product owner with a token of their own. */
export const theOwner = async (): Promise<Api> => {
  const { token } = await stranger.ok(ownerApi.login, { body: { username: 'owner', password: 'demo-swath-2026' } })
  return apiWith(token)
}

export const answersOfDana = {
  businessName: 'Fields Lawn Care',
  role: 'Owner',
  customerCount: '51-100',
  teamSize: '2-5 employees',
  routesToday: 'In my head',
  mostTime: 'Driving between lawns',
  liveWhen: 'This month',
  bothCalls: 'Yes, I can make both calls',
}

export type Prospect = { api: Api; leadId: string; token: string; email: string }

/** A visitor who left name, address and number. */
export const aLead = async (changes: { email?: string; name?: string } = {}): Promise<Prospect> => {
  const api = aVisitor()
  const email = changes.email ?? `${newId()}@lawn.test`
  const { leadId, token } = await api.ok(leadsApi.create, {
    body: { name: changes.name ?? 'Dana Fields', email, phone: '912.555.0123' },
  })
  return { api, leadId, token, email }
}

/** The same with the application sent. */
export const anApplicant = async (changes: { email?: string; name?: string } = {}): Promise<Prospect> => {
  const lead = await aLead(changes)
  const params = { token: lead.token }
  await lead.api.ok(applicationApi.save, { params, body: { answers: answersOfDana } })
  await lead.api.ok(applicationApi.submit, { params })
  return lead
}

/** The free times of a length, as a visitor sees them. */
export const freeTimes = async (minutes: 20 | 30 = 20): Promise<string[]> =>
  (await aVisitor().ok(callsApi.slots, { query: { minutes } })).slots
