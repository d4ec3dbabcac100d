import { describe, expect, it } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { customersApi } from '../../../customers/contract.ts'
import { messagesApi } from '../../contract.ts'
import { messageTemplatesApi } from '../contract.ts'

type Made = Awaited<ReturnType<typeof aBusiness>>
const list = async ({ api }: Pick<Made, 'api'>) => (await api.ok(messageTemplatesApi.list, {})).items

describe('templates of messages', () => {
  it('a business begins with a handful in both languages, none of which a text refuses', async () => {
    const items = await list(await aBusiness())
    expect(items.map(({ name }) => name)).toEqual([
      'Open balance',
      'Please leave the gate open',
      'Running late',
      'Thank you',
      'Your next visit',
    ])
    expect(items.every(({ textEn, textEs }) => textEn !== '' && textEs !== '')).toBe(true)
  })

  it('a mail is called by its template, in both languages; no subject with a hole or of two lines is kept or sent', async () => {
    const { api } = await aBusiness()
    const body = { name: 'Winter', textEn: 'See you in March.', subjectEn: 'Until March, { Customer first name }' }
    const made = await api.ok(messageTemplatesApi.create, { body })
    expect([made.subjectEn, made.subjectEs]).toEqual(['Until March, {customer first name}', ''])
    const changed = await api.ok(messageTemplatesApi.update, {
      params: { id: made.id },
      body: { subjectEs: 'Hasta marzo', version: made.version },
    })
    expect([changed.subjectEn, changed.subjectEs, changed.textEn]).toEqual([
      'Until March, {customer first name}',
      'Hasta marzo',
      'See you in March.',
    ])
    for (const subjectEn of ['Hi {nobody}', 'Two\nlines'])
      expect(
        (await api.call(messageTemplatesApi.create, { body: { ...body, name: subjectEn, subjectEn } })).status,
      ).toBe(422)
    const { id } = await api.ok(customersApi.create, { body: { name: 'Ann Lee', email: 'ann@oak.test' } as never })
    const mailed = (subject: string) =>
      api.call(messagesApi.sendEmail, { params: { id }, body: { subject, text: 'See you.' } })
    const hole = await mailed('Until March, {customer first name}')
    expect([hole.status, JSON.stringify(hole.error)]).toEqual([422, expect.stringContaining('still stands in it')])
    expect((await mailed('Until March, Ann')).status).toBe(200)
  })

  it('one is made, changed, archived and taken back; its variables are kept as they are called', async () => {
    const { api, ...own } = await aBusiness()
    const made = await api.ok(messageTemplatesApi.create, {
      body: { name: ' Gate code ', textEn: 'Hi { Customer first name }, what is your gate code?' },
    })
    expect(made).toMatchObject({
      name: 'Gate code',
      textEn: 'Hi {customer first name}, what is your gate code?',
      textEs: '',
    })
    const changed = await api.ok(messageTemplatesApi.update, {
      params: { id: made.id },
      body: { textEs: '¿Cuál es el código?', version: made.version },
    })
    expect([changed.textEn, changed.textEs]).toEqual([made.textEn, '¿Cuál es el código?'])
    const stale = await api.call(messageTemplatesApi.update, {
      params: { id: made.id },
      body: { name: 'Old', version: made.version },
    })
    expect([stale.status, stale.error.code]).toEqual([409, 'version_conflict'])
    const archived = await api.ok(messageTemplatesApi.archive, {
      params: { id: made.id },
      body: { version: changed.version },
    })
    const again = await api.ok(messageTemplatesApi.archive, {
      params: { id: made.id },
      body: { version: changed.version },
    })
    expect([archived.archived, again.version]).toEqual([true, archived.version])
    expect((await list({ api, ...own })).some(({ id }) => id === made.id)).toBe(false)
    const refused = await api.call(messageTemplatesApi.update, {
      params: { id: made.id },
      body: { name: 'Back', version: archived.version },
    })
    expect(refused.status).toBe(409)
    await api.ok(messageTemplatesApi.restore, { params: { id: made.id } })
    expect((await list({ api, ...own })).some(({ id }) => id === made.id)).toBe(true)
  })

  it('an unknown variable is refused with those that there are, and so is a name that is taken; nothing is saved', async () => {
    const own = await aBusiness()
    const { api } = own
    const before = await list(own)
    const unknown = await api.call(messageTemplatesApi.create, {
      body: { name: 'New', textEn: 'Hi', textEs: 'Hola {nombre}' },
    })
    expect(unknown.status).toBe(422)
    expect(unknown.error.errors?.[0]).toMatchObject({ path: 'textEs' })
    expect(unknown.error.errors?.[0]?.message).toContain('There is no {nombre}. There are {customer first name}')
    const taken = await api.call(messageTemplatesApi.create, { body: { name: 'thank YOU', textEn: 'Hi' } })
    expect([taken.status, taken.error.errors?.[0]?.path]).toEqual([422, 'name'])
    const empty = await api.call(messageTemplatesApi.create, { body: { name: 'New', textEn: '  ' } })
    expect([empty.status, empty.error.errors?.[0]?.path]).toEqual([422, 'textEn'])
    expect(await list(own)).toEqual(before)
  })

  it('the same press twice makes one', async () => {
    const own = await aBusiness()
    const key = newId()
    const press = () =>
      own.api.ok(messageTemplatesApi.create, { body: { name: 'Once', textEn: 'Hi' } }, { 'idempotency-key': key })
    expect((await press()).id).toBe((await press()).id)
    expect((await list(own)).filter(({ name }) => name === 'Once')).toHaveLength(1)
  })

  it("another business's is not there", async () => {
    const [own, other] = [await aBusiness(), await aBusiness()]
    const [theirs] = await list(other)
    const { id = '', version = 1 } = theirs ?? {}
    const tries = [
      await own.api.call(messageTemplatesApi.update, { params: { id }, body: { name: 'Mine', version } }),
      await own.api.call(messageTemplatesApi.archive, { params: { id }, body: { version } }),
      await own.api.call(messageTemplatesApi.restore, { params: { id } }),
    ]
    expect(tries.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(await list(other)).toContainEqual(theirs)
  })
})

it('a message in which a variable still stands is not sent', async () => {
  const { api } = await aBusiness()
  const { id } = await api.ok(customersApi.create, {
    body: { name: 'Ann Lee', phone: '(912) 555-0101', email: 'ann@test.swath.test' },
  })
  const text = await api.call(messagesApi.sendText, { params: { id }, body: { text: 'We come {next visit day}.' } })
  expect(text.status).toBe(422)
  expect(text.error.errors?.[0]?.message).toContain('{next visit day} still stands in it')
  const mail = await api.call(messagesApi.sendEmail, {
    params: { id },
    body: { subject: 'Hi', text: 'Pay here: { Pay link }' },
  })
  expect(mail.status).toBe(422)
  await api.ok(messagesApi.sendText, { params: { id }, body: { text: 'The code is {4711}.' } })
  expect((await api.ok(messagesApi.list, { query: {} })).items).toHaveLength(1)
})

it('two people who name one alike at once: one is saved, the other gets the words at the field', async () => {
  const { api, ...own } = await aBusiness()
  const save = (name: string) => api.call(messageTemplatesApi.create, { body: { name, textEn: 'Hello' } })
  const answers = await Promise.all([save('Mulch'), save('mulch'), save('MULCH'), save('Mulch')])
  expect(answers.map(({ status }) => status).filter((status) => status < 300)).toHaveLength(1)
  const refused = answers.filter(({ status }) => status >= 300)
  expect(refused.map(({ status, error }) => [status, error.errors?.[0]?.path])).toEqual([
    [422, 'name'],
    [422, 'name'],
    [422, 'name'],
  ])
  expect((await list({ api, ...own })).filter(({ name }) => name.toLowerCase() === 'mulch')).toHaveLength(1)
})
