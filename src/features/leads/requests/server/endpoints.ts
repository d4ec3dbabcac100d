import type { FastifyReply, FastifyRequest } from 'fastify'
import { type BusinessId, withTenant } from '../../../../platform/db/tenant.ts'
import { countUse } from '../../../../platform/http/rate-limit.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { AppError, invalid, notFound } from '../../../../shared/errors.ts'
import { wireText } from '../../../../shared/wire-text.ts'
import { lookUp } from '../../../geocoding/server/commands.ts'
import { leadRequestApi, leadSettingsApi } from '../contract.ts'
import { drawnProblem, drawnSquareFeet, isServed, type RequestForm, requestProblems } from '../rules.ts'
import { priceOffer, saveLeadSettings, takeRequest } from './commands.ts'
import { formPageHtml, gonePageHtml, thanksPageHtml } from './page.ts'
import { areaOf, type Door, findDoor, getKept, getLeadSettings, getOffer } from './queries.ts'
import { formScript } from './script.ts'

export const leadSettingsEndpoints = serve(
  'lead-settings',
  leadSettingsApi,
)({
  get: ({ actor }) => withTenant(actor, getLeadSettings),
  save: ({ actor, body }) => saveLeadSettings(actor, body),
})

const hour = 3600

/** Enough for a household and an office behind one address, too few for a machine. */
export const countRequest = async (businessId: BusinessId, request: FastifyRequest): Promise<void> => {
  await countUse(`lead-form:${businessId}:${request.ip}`, 12, hour)
  await countUse(`lead-form:${businessId}`, 400, hour)
}

export const countLook = (businessId: BusinessId, request: FastifyRequest): Promise<void> =>
  countUse(`lead-look:${businessId}:${request.ip}`, 60, hour)

/** What other websites may read and show; nothing here knows who is signed in. */
const anywhere = (reply: FastifyReply): FastifyReply =>
  reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin')

const sendPage = (reply: FastifyReply, html: string): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex')
    .type('text/html; charset=utf-8')
    .send(html)

const openDoor = async (slug: string): Promise<Door> => {
  const door = await findDoor(slug, withTenant)
  if (!door?.open) throw notFound('form')
  return door
}

export const openPage = async (slug: string): Promise<Door> => {
  const door = await openDoor(slug)
  if (!door.page) throw notFound('business')
  return door
}

const fieldsOf = (body: Record<string, string>): RequestForm => {
  const of = (key: string, max: number) => wireText(body[key] ?? '', max)
  return {
    name: of('name', 200),
    phone: of('phone', 40),
    email: of('email', 254),
    street: of('street', 200),
    city: of('city', 100),
    state: of('state', 40),
    zip: of('zip', 12),
    wants: of('wants', 2000),
    company: of('company', 200),
    ms: of('ms', 20),
    consent: of('consent', 10),
    offers: of('offers', 10),
  }
}

/** Where an address is and whether it is served; an address that nobody finds is taken. */
export const placeOf = async (
  businessId: BusinessId,
  address: { street: string; city: string; state: string; zip: string },
) => {
  const kept = await withTenant({ businessId }, getKept)
  const { point, quality } =
    address.zip || address.street ? await lookUp({ businessId }, address) : { point: null, quality: 'none' }
  const exact = quality === 'rooftop' || quality === 'street'
  return { point, exact, served: isServed(areaOf(kept), { zip: address.zip, point }) }
}

const take = async (door: Door, body: Record<string, string>): Promise<void> => {
  const form = fieldsOf(body)
  if (requestProblems(form).length > 0) return takeRequestOf(door, form, body, { point: null, served: true })
  const { point, exact, served } = await placeOf(door.businessId, form)
  return takeRequestOf(door, form, body, { point: exact ? point : null, served })
}

const takeRequestOf = (
  door: Door,
  form: RequestForm,
  body: Record<string, string>,
  { point, served }: { point: { lat: number; lng: number } | null; served: boolean | null },
): Promise<void> =>
  takeRequest(door.businessId, {
    ...form,
    key: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(body.key ?? '') ? (body.key ?? null) : null,
    source: 'website',
    sourceDetail: wireText(body.page ?? '', 300),
    ref: wireText(body.ref ?? '', 40),
    point,
    served: served !== false,
    lawn: null,
    services: [],
  })

const wantsJson = (request: FastifyRequest): boolean => /application\/json/.test(request.headers.accept ?? '')

export const leadRequestEndpoints = serve(
  'lead-requests',
  leadRequestApi,
)({
  page: async ({ params, reply }) => {
    const door = await findDoor(params.slug, withTenant)
    if (!door?.open) return sendPage(reply.code(404), gonePageHtml())
    return sendPage(reply, formPageHtml(door, params.slug, {}, []))
  },
  script: async ({ params, reply }) => {
    const door = await findDoor(params.slug, withTenant)
    anywhere(reply).header('cache-control', 'public, max-age=300').type('text/javascript; charset=utf-8')
    return door?.open ? reply.send(formScript(door, params.slug)) : reply.code(404).send('')
  },
  thanks: async ({ params, reply }) => {
    const door = await findDoor(params.slug, withTenant)
    return door ? sendPage(reply, thanksPageHtml(door)) : sendPage(reply.code(404), gonePageHtml())
  },
  send: async ({ params, body, request, reply }) => {
    anywhere(reply)
    const json = wantsJson(request)
    const door = await findDoor(params.slug, withTenant)
    if (!door?.open) return json ? Promise.reject(notFound('form')) : sendPage(reply.code(404), gonePageHtml())
    try {
      await countRequest(door.businessId, request)
      await take(door, body)
    } catch (error) {
      if (json || !(error instanceof AppError) || error.status >= 500) throw error
      const problems = error.errors ?? [{ path: '', message: error.message }]
      return sendPage(reply.code(error.status), formPageHtml(door, params.slug, body, problems))
    }
    if (json) return { received: true }
    return reply.redirect(`/lead-form/${encodeURIComponent(params.slug)}/thanks`, 303)
  },
  offer: async ({ params }) => {
    const door = await findDoor(params.slug, withTenant)
    if (!door?.page) throw notFound('business')
    return withTenant(door, (db) => getOffer(db, door))
  },
  place: async ({ params, body, request }) => {
    const door = await openPage(params.slug)
    await countLook(door.businessId, request)
    const { point, exact, served } = await placeOf(door.businessId, body)
    return { served, exact, latitude: point?.lat ?? null, longitude: point?.lng ?? null }
  },
  price: async ({ params, body, request }) => {
    const door = await openPage(params.slug)
    await countLook(door.businessId, request)
    return priceOffer(door.businessId, body)
  },
  ask: async ({ params, body, request }) => {
    const door = await openPage(params.slug)
    await countRequest(door.businessId, request)
    const { lawn, services, key, ref, consent, offers, ...form } = body
    const { point, exact, served } = await placeOf(door.businessId, body)
    const ring = lawn?.way === 'drawn' ? lawn.ring : null
    const wrong = ring && drawnProblem(ring, point && { ...point, exact })
    if (wrong) throw invalid([{ path: 'lawn', message: wrong }])
    await takeRequest(door.businessId, {
      ...form,
      consent: consent ? 'yes' : '',
      offers: offers ? 'yes' : '',
      key,
      ref,
      source: 'profile',
      sourceDetail: '',
      point: exact ? point : null,
      served: served !== false,
      lawn: lawn && { ...lawn, ring, squareFeet: ring ? drawnSquareFeet(ring, lawn.squareFeet) : lawn.squareFeet },
      services,
    })
    return { received: true, served: served !== false }
  },
})
