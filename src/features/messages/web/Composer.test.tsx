import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { keepDraftsOf } from '../../../ui/drafts.ts'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import { Composer } from './Composer.tsx'

const state = {
  phase: 'signedIn',
  user: {
    _id: '01a202c7-f2af-717a-8cad-ef17944daa01',
    role: 'Owner',
    permissions: [],
    business: { timeZone: 'America/New_York', subscription: { active: true } },
  },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const contact = {
  id: '01a202c7-f2af-717a-8cad-ef17944daa02',
  name: 'Ann Lee',
  email: 'ann@test.swath.test',
  phone: '+19125550101',
  emailSuppressed: null,
  smsSuppressed: null,
}
const seenId = '01a202c7-f2af-717a-8cad-ef17944daa10'
const template = {
  name: 'Visit',
  textEn: 'We come {next visit day}.',
  textEs: '',
  subjectEn: '',
  subjectEs: '',
  archived: false,
  version: 1,
}

beforeEach(() => keepDraftsOf(crypto.randomUUID()))

/** The composer over a server that holds back what it is told to until `let` is called. */
const opened = (
  holds: (request: Request) => boolean = () => false,
  answers: object = {},
  more: {
    template?: object
    contact?: object
    send?: (body: { seen?: unknown }) => { status: number; body: unknown }
  } = {},
) => {
  const waiting: (() => void)[] = []
  const asked = answerWith(async (request) => {
    const held = holds(request)
    if (held) await new Promise<void>((done) => waiting.push(done))
    if (request.url.includes('/api/message-templates'))
      return { body: { items: [{ ...template, id: '01a202c7-f2af-717a-8cad-ef17944daa03', ...more.template }] } }
    if (request.url.includes('/answers'))
      return {
        body: {
          language: 'en',
          values: { 'next visit day': null },
          missing: { 'next visit day': 'No visit is planned for Ann Lee.' },
          places: {},
          sharedWith: [],
          suggestions: [],
          ...answers,
        },
      }
    if (request.url.includes('/thread'))
      return { body: { items: [{ kind: 'message', message: { id: seenId } }], nextCursor: null } }
    if (request.url.endsWith('/texts') && more.send) return more.send(await request.json())
    return { body: {} }
  })
  const { user, unmount } = show(
    <SessionContext value={session}>
      <Composer contact={{ ...contact, ...more.contact }} preferred="sms" />
    </SessionContext>,
  )
  const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text' })
  return {
    user,
    leave: unmount,
    asked,
    field,
    text: () => field().value,
    held: () => waitFor(() => expect(waiting.length).toBeGreaterThan(0)),
    let: () => {
      for (const done of waiting.splice(0)) done()
    },
    pick: async () => {
      await user.click(screen.getByRole('button', { name: 'Template' }))
      await user.click(await screen.findByRole('button', { name: /^Visit/ }))
    },
  }
}

it('what is typed while a template is fetched stays', async () => {
  let first = true
  const talk = opened((request) => {
    if (!request.url.includes('/answers')) return false
    // the first look is the chips'
    const isChips = first
    first = false
    return !isChips
  })
  await talk.user.type(talk.field(), 'Hello')
  await talk.pick()
  await talk.held()
  await talk.user.type(talk.field(), ' Ann.')
  talk.let()
  await waitFor(() => expect(talk.text()).toBe('Hello Ann. We come {next visit day}.'))
})

it('what was said of a template goes with its hole, and does not come back over the next message', async () => {
  const talk = opened()
  await talk.pick()
  await screen.findByText(/Write what belongs at \{next visit day\}/)
  await talk.user.clear(talk.field())
  await waitFor(() => expect(screen.queryByText(/Write what belongs at/)).toBeNull())
  await talk.user.type(talk.field(), 'Thanks')
  expect(screen.queryByText(/Write what belongs at/)).toBeNull()
})

it('a template says of which property its day is, where there are several', async () => {
  const talk = opened(() => false, {
    values: { 'next visit day': 'Friday, June 12' },
    missing: {},
    places: { 'next visit day': 'The next visit is at 12 Oak St.' },
  })
  await talk.pick()
  await screen.findByText('The next visit is at 12 Oak St.')
  expect(talk.text()).toBe('We come Friday, June 12.')
})

it('a template calls a mail that has no subject yet, and leaves one that has', async () => {
  const talk = opened(
    () => false,
    { values: { 'next visit day': 'Friday, June 12' }, missing: {} },
    { template: { subjectEn: 'We come {next visit day}', subjectEs: '' } },
  )
  await talk.user.click(screen.getByRole('button', { name: 'E-mail' }))
  const subject = screen.getByRole<HTMLInputElement>('textbox', { name: 'Subject' })
  await talk.pick()
  await waitFor(() => expect(subject.value).toBe('We come Friday, June 12'))
  await talk.user.clear(subject)
  await talk.user.type(subject, 'Friday')
  await talk.pick()
  await waitFor(() =>
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Mail' }).value).toMatch(/12\..*12\./s),
  )
  expect(subject.value).toBe('Friday')
})

it('the picker closes when the text changes under it', async () => {
  const talk = opened()
  await talk.user.type(talk.field(), 'Hello')
  await talk.user.click(screen.getByRole('button', { name: 'Template' }))
  await screen.findByRole('searchbox', { name: 'Find a template' })
  await talk.user.type(talk.field(), '!')
  await waitFor(() => expect(screen.queryByRole('searchbox', { name: 'Find a template' })).toBeNull())
})

it('a text that left takes away only itself', async () => {
  const talk = opened((request) => request.url.endsWith('/texts'))
  await talk.user.type(talk.field(), 'Hello')
  await talk.user.click(screen.getByRole('button', { name: 'Send text' }))
  await talk.held()
  await talk.user.type(talk.field(), ' And bring mulch')
  talk.let()
  await waitFor(() => expect(talk.text()).toBe('And bring mulch'))
})

it('a note that is left while it is saved is saved once, and is no draft after', async () => {
  const talk = opened((request) => request.url.endsWith('/notes'))
  const tab = (name: string) => screen.getByRole('button', { name })
  await talk.user.click(tab('Note'))
  await talk.user.type(screen.getByRole('textbox', { name: 'Internal note' }), 'New dog')
  await talk.user.click(tab('Save note'))
  await talk.held()
  await talk.user.click(tab('Text'))
  await talk.user.click(tab('Note'))
  // still on its way: a second press does nothing
  await talk.user.click(tab('Save note'))
  talk.let()
  await waitFor(() =>
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Internal note' }).value).toBe(''),
  )
  expect(talk.asked.filter((one) => one.endsWith('/notes'))).toHaveLength(1)
})

it('a text that is too long cannot be sent and says why, with a hole that is in it; it never says what it would cost', async () => {
  const talk = opened(() => false, {}, { template: { textEn: `${'Mulch '.repeat(26)}on {next visit day}.` } })
  await talk.pick()
  await screen.findByText(/^16 characters too many to send\. .* \{next visit day\} still stands in it, too\./)
  screen.getByText('176/160')
  expect(screen.queryByText(/Costs/)).toBeNull()
  const send = screen.getByRole<HTMLButtonElement>('button', { name: 'Send text' })
  expect(send.disabled).toBe(true)
  await talk.user.clear(talk.field())
  await talk.user.type(talk.field(), 'Hi')
  expect(send.disabled).toBe(false)
})

it('what was wrong goes with the words that were wrong', async () => {
  const talk = opened()
  await talk.pick()
  await screen.findByText(/Write what belongs at/)
  await talk.user.click(screen.getByRole('button', { name: 'Send text' }))
  await screen.findByText(/still stands in it\. Write what belongs there/)
  await talk.user.clear(talk.field())
  await talk.user.type(talk.field(), 'We come Friday.')
  expect(screen.queryByText(/still stands in it/)).toBeNull()
})

it('the accents of a template stay, with what they cost and the plain letters to choose instead', async () => {
  const talk = opened(
    () => false,
    { language: 'es', values: { 'next visit day': 'miércoles' }, missing: {} },
    { template: { textEs: 'Su próxima visita es el {next visit day} – ¡gracias!' } },
  )
  await talk.pick()
  await waitFor(() => expect(talk.text()).toBe('Su próxima visita es el miércoles - ¡gracias!'))
  await screen.findByText(/Costs 1 segment: ó is not a plain character/)
  await talk.user.click(screen.getByRole('button', { name: 'Use plain characters' }))
  expect(talk.text()).toBe('Su proxima visita es el miércoles - ¡gracias!')
})

it('a long name of the business is shortened so far that a template fits, and that is said', async () => {
  const talk = opened(
    () => false,
    { values: { 'business name': 'Chesapeake Bay Lawn & Landscape Maintenance Services, LLC' }, missing: {} },
    { template: { textEn: `${'Mulch '.repeat(20)}{business name}` } },
  )
  await talk.pick()
  await waitFor(() => expect(talk.text()).toMatch(/Mulch Chesapeake Bay Lawn & Landscape$/))
  await screen.findByText(/Your business stands in it as “Chesapeake Bay Lawn & Landscape”/)
})

it('an answer of somebody else that came since writing began is shown once, then the text leaves', async () => {
  const answered = '01a202c7-f2af-717a-8cad-ef17944daa20'
  const seen: unknown[] = []
  const talk = opened(
    () => false,
    {},
    {
      send: (body) => {
        seen.push(body.seen)
        return body.seen === answered
          ? { status: 200, body: { id: '01a202c7-f2af-717a-8cad-ef17944daa30' } }
          : {
              status: 409,
              body: {
                code: 'state_conflict',
                message: 'Ana answered a moment ago: “Friday” Nothing was sent.',
                requestId: 'r',
                details: { answered },
              },
            }
      },
    },
  )
  await waitFor(() => expect(talk.asked.some((one) => one.endsWith('/thread'))).toBe(true))
  await talk.user.type(talk.field(), 'Monday')
  await talk.user.click(screen.getByRole('button', { name: 'Send text' }))
  await screen.findByText(/^Ana answered a moment ago/)
  expect(talk.text()).toBe('Monday')
  await talk.user.click(screen.getByRole('button', { name: 'Send text' }))
  await waitFor(() => expect(talk.text()).toBe(''))
  expect(seen).toEqual([seenId, answered])
})

it('says whose number it is besides, before one customer is told what another owes', async () => {
  opened(() => false, {
    sharedWith: [{ customerId: '01a202c7-f2af-717a-8cad-ef17944daa05', name: 'Theo Hastings' }],
    suggestions: [{ kind: 'balance', text: 'You owe $85.00.' }],
  })
  expect((await screen.findByText(/^Also the number of/)).textContent).toBe(
    'Also the number of Theo Hastings: make sure who is asking.',
  )
  expect(screen.getByRole('button', { name: 'You owe $85.00.' })).toBeTruthy()
})

it('what was written and not sent is there again after a look at another conversation; what was sent is not', async () => {
  const first = opened()
  await first.user.type(first.field(), 'A long answer')
  first.leave()
  const second = opened(undefined, {}, { send: () => ({ status: 200, body: { id: seenId } }) })
  expect(second.text()).toBe('A long answer')
  await second.user.click(screen.getByRole('button', { name: 'Send text' }))
  await waitFor(() => expect(second.text()).toBe(''))
  second.leave()
  expect(opened().text()).toBe('')
})

it('the word that ended texts stays as they wrote it', async () => {
  opened(undefined, {}, { contact: { smsSuppressed: 'They replied STOP', email: null } })
  await screen.findByText(/does not want texts \(they replied STOP\)/)
})

it('where there is no number it says so and leads to where one is added', async () => {
  opened(undefined, {}, { contact: { phone: null, email: null } })
  const link = await screen.findByRole('link', { name: 'Add a mobile number' })
  expect(link.getAttribute('href')).toContain(`customerId=${contact.id}`)
})
