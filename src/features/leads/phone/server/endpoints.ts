import type { FastifyReply } from 'fastify'
import { hasPermission } from '../../../../platform/actor.ts'
import { asBusinessId, withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { readVoiceToken } from '../../../../platform/mail/addresses.ts'
import { signedTwilioForm } from '../../../../platform/sms/signed.ts'
import { storeWebhook } from '../../../../platform/webhooks.ts'
import { toE164 } from '../../../../shared/phone.ts'
import { leadWaysApi, voiceApi } from '../contract.ts'
import { dialXml, keyXml, sorryXml, throughXml, wasTaken } from '../rules.ts'
import { saveLeadWays, takeCall } from './commands.ts'
import { getKeptWays, getLeadWays, voiceUrl } from './queries.ts'

export const leadWaysEndpoints = serve(
  'lead-ways',
  leadWaysApi,
)({
  get: ({ actor }) =>
    withTenant(actor, (db) => getLeadWays(db, hasPermission(actor, 'settings') && !actor.support && !actor.tour)),
  save: ({ actor, body }) => saveLeadWays(actor, body),
})

const xml = (reply: FastifyReply, text: string): FastifyReply => reply.type('text/xml; charset=utf-8').send(text)

const nobody = {
  en: 'Sorry, nobody can take calls at this number.',
  es: 'Lo sentimos, nadie puede contestar en este numero.',
}
const sorry = {
  en: 'Sorry, we cannot come to the phone right now. We will get back to you.',
  es: 'Lo sentimos, ahora no podemos contestar. Nos comunicaremos con usted.',
}

/** The business whose number was dialed, with what holds for its calls; null for one that is not there any more. */
const dialedOf = async (token: string) => {
  const id = readVoiceToken(token)
  if (!id) return null
  const businessId = asBusinessId(id)
  return withTenant({ businessId }, async (db) => {
    const business = await db
      .selectFrom('businesses')
      .select(['name', 'closedAt'])
      .where('businessId', '=', businessId)
      .executeTakeFirst()
    return business && !business.closedAt ? { businessId, name: business.name, ways: await getKeptWays(db) } : null
  })
}

export const voiceEndpoints = serve(
  'voice',
  voiceApi,
)({
  dialed: async ({ request, reply, query }) => {
    const form = signedTwilioForm(request)
    const dialed = await dialedOf(query.k)
    if (!dialed?.ways.forwardTo) return xml(reply, sorryXml(nobody))
    // a number that is put through to itself would ring itself, and each leg is paid for
    const way = [form.get('To'), form.get('ForwardedFrom')].map((number) => toE164(number ?? ''))
    if (way.includes(dialed.ways.forwardTo)) return xml(reply, sorryXml(nobody))
    const { ways, businessId } = dialed
    return xml(
      reply,
      dialXml({
        to: ways.forwardTo ?? '',
        seconds: ways.ringSeconds,
        endedUrl: voiceUrl(businessId, voiceApi.ended.path),
        takenUrl: ways.pressKey ? voiceUrl(businessId, voiceApi.taken.path) : null,
      }),
    )
  },
  taken: async ({ request, reply, query }) => {
    const form = signedTwilioForm(request)
    const dialed = await dialedOf(query.k)
    if (!dialed || form.get('Digits')) return xml(reply, throughXml())
    return xml(reply, keyXml(dialed.name, voiceUrl(dialed.businessId, voiceApi.taken.path)))
  },
  ended: async ({ request, reply, query }) => {
    const form = signedTwilioForm(request)
    const dialed = await dialedOf(query.k)
    if (!dialed) return xml(reply, sorryXml(nobody))
    if (wasTaken(form.get('DialCallStatus') ?? '', form.get('DialBridged'))) {
      await takeCall(dialed.businessId, form.get('From') ?? '')
      return xml(reply, throughXml())
    }
    const id = form.get('CallSid') ?? ''
    await storeWebhook({
      provider: 'twilio',
      account: '',
      // By call: told twice it is one.
      eventId: `${id}:missed`,
      type: 'call',
      payload: { kind: 'call', businessId: dialed.businessId, from: form.get('From') ?? '', id },
    })
    return xml(reply, sorryXml(dialed.ways.strangerLanguage === 'es' ? sorry : { en: sorry.en, es: null }))
  },
})
