import sharp from 'sharp'
import { afterEach, describe, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays } from '../../../shared/dates.ts'
import type { Permission } from '../../../shared/roles.ts'
import { apiFor } from '../../../test/api.ts'
import { aRow, begin, make, text, withAddress, words } from '../../../test/campaignRow.ts'
import { aPerson } from '../../../test/factories.ts'
import { aVisit, today } from '../../../test/field.ts'
import { getAutomaticValues } from '../../answers/server/queries.ts'
import { notificationsApi } from '../../notifications/contract.ts'
import { type Content, noPicture, noWords } from '../content/rules.ts'
import { campaignsApi } from '../contract.ts'
import { campaignResultsApi } from '../results/contract.ts'
import { segmentsApi } from '../segments/contract.ts'
import { moveRecipientsTx } from './merging/commands.ts'
import { campaignStepTx } from './sending.ts'

afterEach(resetClock)

describe('a segment', () => {
  it('says live how many fit, how many can be reached by each way, and why the others cannot', async () => {
    const row = await aRow()
    const seen = await row.api.ok(segmentsApi.count, { body: { conditions: [] } })
    expect(seen).toMatchObject({ chosen: 5, looked: 5, reached: { email: 3, sms: 1 }, recent: 0 })
    expect(seen.reasons.sms).toEqual([
      { reason: 'No mobile number on file', count: 2 },
      { reason: 'Never agreed to offers', count: 1 },
      { reason: 'They replied STOP', count: 1 },
    ])
  })

  it('means who fits all of its conditions', async () => {
    const row = await aRow()
    const { serviceId } = await row.db(async () => {
      await aVisit(row)
      return row.db((db) =>
        db.selectFrom('jobLines').select('serviceId').where('businessId', '=', row.id).executeTakeFirstOrThrow(),
      )
    })
    await row.db((db) =>
      db
        .updateTable('customers')
        .set({ source: 'Door card' })
        .where('businessId', '=', row.id)
        .where('name', '=', 'Ann Lee')
        .execute(),
    )
    const chosen = async (...conditions: unknown[]) =>
      (await row.api.ok(segmentsApi.count, { body: { conditions } as never })).chosen
    // the visit made one customer more, with a job
    expect(await chosen()).toBe(6)
    expect(await chosen({ kind: 'tag', has: true, tags: ['vip'] })).toBe(1)
    expect(await chosen({ kind: 'tag', has: false, tags: ['vip'] })).toBe(5)
    expect(await chosen({ kind: 'stage', stages: ['past'] })).toBe(1)
    expect(await chosen({ kind: 'language', language: 'es' })).toBe(1)
    expect(await chosen({ kind: 'source', sources: ['Door card'] })).toBe(1)
    expect(await chosen({ kind: 'service', has: true, serviceIds: [serviceId] })).toBe(1)
    expect(await chosen({ kind: 'service', has: false, serviceIds: [serviceId] })).toBe(5)
    expect(await chosen({ kind: 'job', has: true })).toBe(1)
    expect(await chosen({ kind: 'balance', has: true })).toBe(0)
    expect(await chosen({ kind: 'plan', has: false }, { kind: 'autopay', has: false })).toBe(6)
    expect(await chosen({ kind: 'created', within: true, days: 3 })).toBe(6)
    expect(await chosen({ kind: 'created', within: false, days: 3 })).toBe(0)
    expect(await chosen({ kind: 'lastVisit', within: false, days: 30 })).toBe(0)
    await row.db((db) =>
      db
        .updateTable('visits')
        .set({ status: 'completed', day: addDays(today(), -60) })
        .where('businessId', '=', row.id)
        .execute(),
    )
    expect(await chosen({ kind: 'lastVisit', within: false, days: 30 })).toBe(1)
    expect(await chosen({ kind: 'lastVisit', within: true, days: 90 })).toBe(1)
    expect(await chosen({ kind: 'tag', has: true, tags: ['vip'] }, { kind: 'stage', stages: ['past'] })).toBe(0)
  })

  it('is kept under a name of its own, changed over the version that was seen, and taken out of use', async () => {
    const row = await aRow()
    const conditions = [{ kind: 'stage' as const, stages: ['active' as const] }]
    const made = await row.api.ok(segmentsApi.create, { body: { name: 'Regulars', conditions } })
    const twice = await row.api.call(segmentsApi.create, { body: { name: 'regulars', conditions: [] } })
    expect([twice.status, JSON.stringify(twice.body)]).toEqual([422, expect.stringContaining('Another audience')])
    const params = { id: made.id }
    const next = await row.api.ok(segmentsApi.update, { params, body: { version: 1, name: 'Our regulars' } })
    expect(next).toMatchObject({ name: 'Our regulars', version: 2, conditions })
    expect((await row.api.call(segmentsApi.update, { params, body: { version: 1, name: 'X' } })).status).toBe(409)
    expect((await row.api.ok(segmentsApi.archive, { params })).items).toEqual([])
    expect((await row.api.call(segmentsApi.update, { params, body: { version: 2, name: 'X' } })).status).toBe(409)
  })

  it('tells nobody without the permission for money who owes', async () => {
    const row = await aRow()
    const office = await aPerson(row.id, 'Admin', { permissions: ['customers'] as Permission[] })
    const body = { conditions: [{ kind: 'balance' as const, has: true }] }
    expect((await office.api.call(segmentsApi.count, { body })).status).toBe(403)
    expect((await office.api.call(segmentsApi.create, { body: { name: 'Owe', ...body } })).status).toBe(403)
    expect((await row.api.call(segmentsApi.count, { body })).status).toBe(200)
    // nor by a list of the people, nor by a day on which it goes to them
    const owing = await make(row, body)
    const params = { id: owing.id }
    for (const answer of [
      await office.api.call(campaignResultsApi.people, { params, query: {} }),
      await office.api.call(campaignResultsApi.exportCsv, { params, query: {} }),
      await office.api.call(campaignsApi.schedule, {
        params,
        body: { version: 1, day: addDays(today(), 1), minute: 600 },
      }),
    ])
      expect(answer.status).toBe(403)
  })
})

describe('a campaign before it begins', () => {
  it.each([
    [{ content: words({ subject: 'two\nlines' }) }, 'one line'],
    [{ holdoutPercent: 21 }, '20%'],
    [{ perHour: 5 }, 'At least 10'],
    [{ channel: 'sms', content: text, test: { percent: 20, hours: 4, by: 'opens' } }, 'A text has none'],
    [{ content: words({ blocks: [{ kind: 'picture', fileId: newId(), alt: 'A lawn' }] }) }, 'not there any more'],
  ])('refuses %j as it is saved', async (wrong, message) => {
    const row = await aRow()
    const answer = await row.api.call(campaignsApi.create, {
      body: { name: 'Fall', channel: 'email', content: words(), ...wrong } as never,
    })
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([422, expect.stringContaining(message)])
    expect((await row.api.ok(campaignsApi.list, { query: {} })).items).toEqual([])
  })

  it('keeps what may not leave as it was typed, and refuses it at its field where it would leave', async () => {
    const row = await aRow()
    await withAddress(row)
    const blocks: Content['en']['blocks'] = [
      { kind: 'text', text: 'You owe {balance}' },
      { kind: 'button', label: 'Book', to: 'url', url: 'www.palmetto.example/book' },
      { kind: 'button', label: 'Ask {nme}', to: 'url', url: 'palmetto .example' },
      { kind: 'button', label: 'Go', to: 'url', url: 'javascript:alert(1)' },
      { kind: 'picture', fileId: noPicture, alt: '' },
    ]
    const { id, version } = await make(row)
    const params = { id }
    const kept = await row.api.ok(campaignsApi.update, {
      params,
      body: { version, name: 'Fall 2', content: words({ subject: 'Air {now}', blocks }) },
    })
    expect(kept.content.en.subject).toBe('Air {now}')
    expect(kept.content.en.blocks).toEqual([
      blocks[0],
      { ...blocks[1], url: 'https://www.palmetto.example/book' },
      ...blocks.slice(2),
    ])
    const wrong = [
      'content.en.subject',
      'content.en.blocks.0.text',
      'content.en.blocks.2.label',
      'content.en.blocks.2.url',
      'content.en.blocks.3.url',
      'content.en.blocks.4.fileId',
    ]
    expect(kept.problems.map(({ path }) => path)).toEqual(wrong)
    const seen = { version: kept.version }
    for (const answer of [
      await row.api.call(campaignsApi.test, { params, body: { language: 'en', variant: 'a' } }),
      await row.api.call(campaignsApi.start, { params, body: seen }),
      await row.api.call(campaignsApi.schedule, {
        params,
        body: { ...seen, day: addDays(today(), 1), minute: 600 },
      }),
    ])
      expect([answer.status, answer.error.errors?.map(({ path }) => path)]).toEqual([422, wrong])
    const { html, text: plain } = await row.api.ok(campaignsApi.preview, {
      body: { channel: 'email', content: kept.content, language: 'en', variant: 'a' } as never,
    })
    expect(html).toContain('https://www.palmetto.example/book')
    expect(html).not.toContain('javascript:')
    expect(plain).toContain('You owe {balance}')
    expect(
      await row.db((db) => db.selectFrom('messages').select('id').where('businessId', '=', row.id).execute()),
    ).toEqual([])
  })

  it('may be unfinished as a draft, and says what is missing before it leaves', async () => {
    const row = await aRow()
    const draft = await make(row, {
      content: { en: noWords, es: noWords },
      test: { percent: 20, hours: 4, by: 'opens' },
    })
    expect(draft.problems.map(({ path }) => path)).toEqual([
      'content.en.subject',
      'content.en.subjectB',
      'content.en.blocks',
      'address',
    ])
    const params = { id: draft.id }
    const refused = await row.api.call(campaignsApi.start, { params, body: { version: draft.version } })
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining('postal address')])
    await withAddress(row)
    const whole = await row.api.ok(campaignsApi.update, {
      params,
      body: { version: draft.version, content: words({ subjectB: 'Air for your lawn' }) },
    })
    expect(whole.problems).toEqual([])
  })

  it('wants a text to say who writes', async () => {
    const row = await aRow()
    const nameless = await make(row, {
      channel: 'sms',
      content: { en: { ...noWords, text: 'Aeration time!' }, es: noWords },
    })
    expect(nameless.problems).toEqual([
      { path: 'content.en.text', message: expect.stringContaining('{business name}') },
    ])
    expect((await make(row, { channel: 'sms', content: text })).problems).toEqual([])
  })

  it('is scheduled by the clock of the business, begins by itself, and is taken back until then', async () => {
    const row = await aRow()
    await withAddress(row)
    const { id, version } = await make(row)
    const params = { id }
    const gone = await row.api.call(campaignsApi.schedule, { params, body: { version, day: today(), minute: 60 } })
    expect([gone.status, JSON.stringify(gone.body)]).toEqual([422, expect.stringContaining('is gone')])
    const day = addDays(today(), 1)
    const set = await row.api.ok(campaignsApi.schedule, { params, body: { version, day, minute: 9 * 60 } })
    expect(set).toMatchObject({ status: 'scheduled', can: { update: true, unschedule: true, pause: false } })
    expect(new Date(set.startsAt ?? '').toLocaleString('en-US', { timeZone: 'America/New_York' })).toContain(
      '9:00:00 AM',
    )
    // still open to change, and never to a state in which it could not leave
    const broken = await row.api.call(campaignsApi.update, {
      params,
      body: { version: set.version, content: words({ subject: '' }) },
    })
    expect(broken.status).toBe(422)
    const back = await row.api.ok(campaignsApi.unschedule, { params })
    expect(back).toMatchObject({ status: 'draft', startsAt: null })
    const again = await row.api.ok(campaignsApi.schedule, {
      params,
      body: { version: back.version, day, minute: 9 * 60 },
    })
    await row.db((db) => campaignStepTx(db, id))
    setClock(() => new Date(again.startsAt ?? ''))
    await row.db(async (db) => {
      while (await campaignStepTx(db, id));
    })
    const api = await apiFor(row.owner)
    expect(await api.ok(campaignsApi.get, { params })).toMatchObject({ status: 'running', chosen: 5, queued: 3 })
  })

  it('that cannot leave on its day is a draft again, and who made it hears why', async () => {
    const row = await aRow()
    await withAddress(row)
    const { id, version } = await make(row)
    const day = addDays(today(), 1)
    const set = await row.api.ok(campaignsApi.schedule, { params: { id }, body: { version, day, minute: 600 } })
    await row.db((db) => db.updateTable('businesses').set({ zip: null }).where('businessId', '=', row.id).execute())
    setClock(() => new Date(set.startsAt ?? ''))
    await row.db((db) => campaignStepTx(db, id))
    const api = await apiFor(row.owner)
    expect(await api.ok(campaignsApi.get, { params: { id } })).toMatchObject({ status: 'draft' })
    expect(JSON.stringify(await api.ok(notificationsApi.list, { query: {} }))).toContain('Fall did not begin')
  })

  it('is locked once it has begun, and copied to be written anew', async () => {
    const row = await aRow()
    await withAddress(row)
    const { id, version } = await begin(row)
    const params = { id }
    for (const answer of [
      await row.api.call(campaignsApi.update, { params, body: { version, name: 'Other' } }),
      await row.api.call(campaignsApi.remove, { params }),
      await row.api.call(campaignsApi.start, { params, body: { version } }),
      await row.api.call(campaignsApi.schedule, { params, body: { version, day: addDays(today(), 2), minute: 600 } }),
    ])
      expect([answer.status, answer.error.message]).toEqual([409, expect.stringContaining('running')])
    const copy = await row.api.ok(campaignsApi.copy, { params })
    expect(copy).toMatchObject({ status: 'draft', name: 'Fall (copy)', chosen: 0, can: { update: true } })
    await row.api.ok(campaignsApi.remove, { params: { id: copy.id } })
    expect((await row.api.ok(campaignsApi.list, { query: {} })).items.map((one) => one.id)).toEqual([id])
  })

  it('is not begun twice, nor over a change that was not seen, nor for nobody', async () => {
    const row = await aRow()
    await withAddress(row)
    const { id, version } = await make(row)
    const start = (seen: number) => row.api.call(campaignsApi.start, { params: { id }, body: { version: seen } })
    await row.api.ok(campaignsApi.update, { params: { id }, body: { version, name: 'Fall 2' } })
    expect((await start(version)).status).toBe(409)
    const both = await Promise.all([start(version + 1), start(version + 1)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const nobody = await make(row, { conditions: [{ kind: 'tag', has: true, tags: ['nobody'] }] })
    const refused = await row.api.call(campaignsApi.start, {
      params: { id: nobody.id },
      body: { version: nobody.version },
    })
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('Nobody is in')])
  })

  it('is tried on who writes it, and seen as it comes out', async () => {
    const row = await aRow()
    const { id } = await make(row, {
      content: words({ subjectB: 'Other', blocks: [{ kind: 'offer', title: '10% off', note: 'Code AIR' }] }),
    })
    const { to } = await row.api.ok(campaignsApi.test, { params: { id }, body: { language: 'en', variant: 'b' } })
    const [sent] = await row.db((db) =>
      db
        .selectFrom('messages')
        .select(['address', 'subject', 'bodyText', 'purpose'])
        .where('businessId', '=', row.id)
        .where('entityType', '=', 'campaign_test')
        .execute(),
    )
    expect(sent).toMatchObject({ address: to, subject: 'Test: Other', purpose: 'reply' })
    const preview = (channel: 'email' | 'sms', content: Content) =>
      row.api.ok(campaignsApi.preview, { body: { channel, content, language: 'en', variant: 'a' } as never })
    const mail = await preview('email', words({ blocks: [{ kind: 'text', text: '<b>Hi</b> {customer first name}' }] }))
    expect(mail.html).toContain('&lt;b&gt;Hi&lt;/b&gt; Pat')
    expect(mail.html).toContain('prefers-color-scheme:dark')
    expect(mail.darkHtml).not.toContain('@media (prefers-color-scheme:dark)')
    expect(mail.text).toContain('<b>Hi</b> Pat')
    // as the real one has it: the link in full, on a line of its own
    expect(mail.text).toMatch(/\nGet no more offers: https?:\/\/\S+\/u\/their-own-link\n/)
    expect(await preview('sms', text)).toMatchObject({
      text: 'Hi Pat, from Oak Lawn Reply STOP to opt out.',
      segments: 1,
    })
  })

  it('takes a picture of its own', async () => {
    const row = await aRow()
    const bytes = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#2e7d4f' } })
      .jpeg()
      .toBuffer()
    const { fileId, url } = await row.api.ok(campaignsApi.addPicture, { body: bytes as never })
    expect((await row.api.raw({ method: 'GET', url })).status).toBe(200)
    const { pictures } = await make(row, {
      content: words({ blocks: [{ kind: 'picture', fileId, alt: 'A green lawn' }] }),
    })
    expect(Object.keys(pictures)).toEqual([fileId])
    const other = await aRow()
    const foreign = await other.api.call(campaignsApi.create, {
      body: {
        name: 'X',
        channel: 'email',
        content: words({ blocks: [{ kind: 'picture', fileId, alt: 'x' }] }),
      } as never,
    })
    expect(foreign.status).toBe(422)
  })

  it('greets a company by its whole name, as every message of the business does', async () => {
    const row = await aRow()
    await withAddress(row)
    const [ann = '', rosa = ''] = row.ids
    const called = (id: string, change: { name: string; company?: string }) =>
      row.db((db) =>
        db.updateTable('customers').set(change).where('businessId', '=', row.id).where('id', '=', id).execute(),
      )
    await called(ann, { name: 'Second Street Chapel' })
    await called(rosa, { name: 'Blue Heron', company: 'Blue Heron' })
    const { id } = await begin(row)
    await row.db(async (db) => {
      while (await campaignStepTx(db, id));
    })
    const sent = await row.db((db) =>
      db
        .selectFrom('messages')
        .select('bodyText')
        .where('businessId', '=', row.id)
        .where('entityId', '=', id)
        .orderBy('address')
        .execute(),
    )
    expect(sent.map(({ bodyText }) => bodyText.split('\n')[0])).toEqual([
      'Hi Second Street Chapel',
      'Hi Ben',
      'Hi Blue Heron',
    ])
    // what automations and answers write
    for (const [customerId, name] of [
      [ann, 'Second Street Chapel'],
      [rosa, 'Blue Heron'],
    ] as const) {
      const { values } = await row.db((db) => getAutomaticValues(db, customerId, 'en', ['customer first name']))
      expect(values['customer first name']).toBe(name)
    }
  })

  it('writes Spanish to who reads Spanish, where it was written', async () => {
    const row = await aRow()
    await withAddress(row)
    const es = {
      ...noWords,
      subject: 'Aireación',
      blocks: [{ kind: 'text' as const, text: 'Hola {customer first name}' }],
    }
    const { id } = await begin(row, { content: { ...words(), es } })
    await row.db(async (db) => {
      while (await campaignStepTx(db, id));
    })
    const rosa = await row.db((db) =>
      db
        .selectFrom('messages')
        .select(['subject', 'bodyText'])
        .where('businessId', '=', row.id)
        .where('address', '=', 'rosa@oak.test')
        .executeTakeFirstOrThrow(),
    )
    expect(rosa.subject).toBe('Aireación')
    expect(rosa.bodyText).toMatch(/Hola Rosa[\s\S]*No recibir más ofertas: https?:/)
  })
})

it('where two records of an audience become one, who got it keeps it and the other gets nothing', async () => {
  const row = await aRow()
  await withAddress(row)
  const { id } = await begin(row)
  await row.db(async (db) => {
    while (await campaignStepTx(db, id));
  })
  // Ann got it; Nora and Gil, who have no e-mail, did not
  const [ann = '', , , gil = '', nora = ''] = row.ids
  const merge = (keptId: string, goneId: string) => row.db((db) => moveRecipientsTx(db, goneId, keptId))
  await merge(nora, ann)
  await merge(nora, gil)
  const left = await row.db((db) =>
    db
      .selectFrom('campaignRecipients')
      .select(['customerId', 'state'])
      .where('businessId', '=', row.id)
      .where('customerId', 'in', [ann, gil, nora])
      .execute(),
  )
  expect(Object.fromEntries(left.map(({ customerId, state }) => [customerId, state]))).toEqual({
    [ann]: 'queued',
    [gil]: 'left_out',
    [nora]: 'left_out',
  })
})

describe('somebody else’s campaign', () => {
  it('is not there', async () => {
    const [row, other] = [await aRow(), await aRow()]
    const { id, version } = await make(row)
    const params = { id }
    for (const answer of [
      await other.api.call(campaignsApi.get, { params }),
      await other.api.call(campaignsApi.update, { params, body: { version, name: 'X' } }),
      await other.api.call(campaignsApi.start, { params, body: { version } }),
      await other.api.call(campaignsApi.pause, { params }),
      await other.api.call(campaignsApi.cancel, { params }),
      await other.api.call(campaignsApi.copy, { params }),
      await other.api.call(campaignsApi.test, { params, body: { language: 'en', variant: 'a' } }),
      await other.api.call(campaignResultsApi.results, { params }),
      await other.api.call(campaignResultsApi.people, { params, query: {} }),
    ])
      expect(answer.status).toBe(404)
    const clerk = await aPerson(row.id, 'Admin', { permissions: [] as Permission[] })
    expect((await clerk.api.call(campaignsApi.get, { params })).status).toBe(403)
  })
})
