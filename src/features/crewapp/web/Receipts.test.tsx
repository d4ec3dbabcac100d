import { screen, waitFor } from '@testing-library/react'
import { useSyncExternalStore } from 'react'
import { expect, it } from 'vitest'
import { ApiError } from '../../../shared/client.ts'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import type { CrewCommand } from '../rules.ts'
import type { Crew } from './data.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { memoryStore } from './played.ts'
import { Receipts } from './Receipts.tsx'
import { receiptTexts } from './receiptTexts.ts'
import type { Store } from './store.ts'
import { textsOf } from './texts.ts'

const Screen = ({ outbox }: { outbox: Outbox }) => {
  const state = useSyncExternalStore(outbox.subscribe, outbox.get)
  const crew = { t: textsOf('es'), language: 'es', timeZone: 'America/New_York', outbox, state } as unknown as Crew
  return <Receipts crew={crew} looks={false} />
}

const aPhone = (store: Store = memoryStore()) => {
  const phone = { signal: false, sent: [] as CrewCommand[], photos: [] as string[] }
  const outbox = createOutbox('luis', {
    answersTo: async () => [],
    store,
    sendCommands: async (commands) => {
      if (!phone.signal) throw new ApiError('network', 'No answer', 0)
      phone.sent.push(...commands)
      return commands.map(({ id }) => ({ id, result: 'applied' as const, reason: null, visit: null }))
    },
    sendPhoto: async ({ kind, visitId }) => void phone.photos.push(`${kind} ${visitId}`),
    mayUsePhotoLine: () => true,
    exclusive: (_lane, work) => work(),
    now: () => Date.parse('2026-06-12T15:00:00Z'),
    clock: () => undefined,
    later: () => () => undefined,
    newId: () => crypto.randomUUID(),
    announce: () => undefined,
  })
  return { phone, outbox }
}

const fillIn = async (user: ReturnType<typeof show>['user'], amount: string) => {
  await user.click(await screen.findByRole('button', { name: 'Entregar un recibo' }))
  await user.type(await screen.findByRole('textbox', { name: 'Total en dólares' }), amount)
  await user.upload(
    document.querySelector('input[type=file]') as HTMLInputElement,
    new File(['picture'], 'bill.jpg', { type: 'image/jpeg' }),
  )
  await user.click(screen.getByRole('button', { name: 'Entregar' }))
}

it('keeps a receipt and its photo on the phone without a signal, says so, and sends both with the first one', async () => {
  answerWith(() => ({ status: 503, body: {} }))
  const { phone, outbox } = aPhone()
  const { user } = show(<Screen outbox={outbox} />)
  await fillIn(user, '33.10')
  await screen.findByText('$33.10 queda en este teléfono y llega a la oficina en cuanto haya señal.')
  await screen.findByText('vie, 12 de jun · En este teléfono')
  phone.signal = true
  await outbox.flush()
  await waitFor(() => expect(phone.photos).toEqual([`paid ${phone.sent[0]?.id}`]))
  expect(phone.sent).toMatchObject([
    { type: 'hand_in', payload: { paid: { kind: 'fuel', totalCents: 3310, vendor: '', note: '', ownMoney: false } } },
  ])
  await waitFor(() => expect(screen.queryByText(/En este teléfono/)).toBeNull())
})

it('writes a receipt and its photo down in one go; where only the words have room they go alone, and that is said', async () => {
  answerWith(() => ({ body: { items: [] } }))
  const kept: number[] = []
  const memory = memoryStore()
  const small: Store = {
    ...memory,
    addCommand: (command, photos = []) => {
      kept.push(photos.length)
      return photos.length > 0
        ? Promise.reject(new DOMException('', 'QuotaExceededError'))
        : memory.addCommand(command, photos)
    },
    addPhoto: () => Promise.reject(new Error('a photo was written down without its receipt')),
  }
  const { outbox } = aPhone(small)
  const { user } = show(<Screen outbox={outbox} />)
  await fillIn(user, '33.10')
  await screen.findByText(receiptTexts.es.noPhoto('$33.10'))
  expect([kept, outbox.get().commands.length, outbox.get().photos]).toEqual([[1, 0], 1, []])
})

it('says at the button that a phone which is full could not write it down, with everything still in the form', async () => {
  answerWith(() => ({ body: { items: [] } }))
  const full: Store = { ...memoryStore(), addCommand: () => Promise.reject(new DOMException('', 'QuotaExceededError')) }
  const { outbox } = aPhone(full)
  const { user } = show(<Screen outbox={outbox} />)
  await fillIn(user, '33.10')
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain(textsOf('es').notSaved)
  expect(alert.nextElementSibling).toBe(screen.getByRole('button', { name: 'Entregar' }))
  expect((screen.getByRole('textbox', { name: 'Total en dólares' }) as HTMLInputElement).value).toBe('33.10')
})
