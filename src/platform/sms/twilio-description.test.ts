import { existsSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { newId } from '../ids.ts'
import { twilioForm, twilioStatus } from './twilio.ts'

// The provider's own published description (twilio_api_v2010.json of github.com/twilio/twilio-oai), where SWATH_TWILIO_OPENAPI names it.
const file = process.env.SWATH_TWILIO_OPENAPI ?? ''
const path = '/2010-04-01/Accounts/{AccountSid}/Messages.json'

type Schema = { type?: string; pattern?: string; properties: Record<string, { type?: string }>; enum?: string[] }
type Description = {
  paths: Record<
    string,
    {
      post: {
        requestBody: { content: Record<string, { schema: Schema }> }
        responses: Record<string, { content: Record<string, { schema: { $ref: string } }> }>
      }
    }
  >
  components: { schemas: Record<string, Schema> }
}

describe.runIf(existsSync(file))('the published description of the SMS provider', () => {
  const description = JSON.parse(file ? readFileSync(file, 'utf8') : '{}') as Description
  const form = twilioForm(
    {
      accountSid: `AC${'a'.repeat(32)}`,
      authToken: 'a-token',
      messagingServiceSid: `MG${'b'.repeat(32)}`,
      apiUrl: 'https://api.twilio.com',
      publicUrl: 'https://app.oak.test',
    },
    { id: newId(), to: '+19125550142', body: 'Your crew is on its way.', businessId: newId() },
  )

  it('takes every field of a text as we send it', () => {
    const schema = description.paths[path]?.post.requestBody.content['application/x-www-form-urlencoded']?.schema
    const known = schema?.properties ?? {}
    const typed = Object.fromEntries(
      Object.entries(form).map(([name, value]) => [name, known[name]?.type === 'integer' ? Number(value) : value]),
    )
    const whole = { ...schema, additionalProperties: false, components: description.components }
    const validate = new Ajv({ strict: false, validateFormats: false, validateSchema: false }).compile(whole)
    expect([validate(typed), validate.errors]).toEqual([true, null])
  })

  it('answers with the id and the status that we read', () => {
    const name = description.paths[path]?.post.responses['201']?.content['application/json']?.schema.$ref
      .split('/')
      .at(-1)
    expect(Object.keys(description.components.schemas[name ?? '']?.properties ?? {})).toEqual(
      expect.arrayContaining(['sid', 'status', 'error_code']),
    )
  })

  it('has no status that would be lost on us: what is not an end is still on its way', () => {
    const words = description.components.schemas.message_enum_status?.enum ?? []
    const told = Object.fromEntries(words.map((word) => [word, twilioStatus(word)]))
    const underWay = ['accepted', 'partially_delivered', 'queued', 'received', 'receiving', 'scheduled', 'sending']
    expect(
      Object.keys(told)
        .filter((word) => told[word] === null)
        .sort(),
    ).toEqual(underWay)
    expect(told).toMatchObject({ delivered: 'delivered', undelivered: 'failed', failed: 'failed', canceled: 'failed' })
  })
})
