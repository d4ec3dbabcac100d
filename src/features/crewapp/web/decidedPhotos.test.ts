import { beforeEach, describe, expect, it } from 'vitest'
import { ApiError } from '../../../shared/client.ts'
import type { CrewBundle } from '../contract.ts'
import type { CrewCommand } from '../rules.ts'
import { aPhone } from './aPhone.ts'

let phone: ReturnType<typeof aPhone>
beforeEach(() => {
  phone = aPhone()
})

const input = (type: CrewCommand['type']) => ({ type, visitId: 'v', payload: {}, label: 'Oak St' })
const status = (code: number) => new ApiError('internal', 'no', code)

describe('photos of what the office has decided about', () => {
  it.each([
    ['counts', 'check', 'goes to what is booked now'],
    ['stands', 'check', 'is let go: there is nothing it could belong to'],
    ['stands', 'other', 'goes to the visit, which keeps it'],
  ] as const)('once the office has decided that it %s, a photo (%s) of it %s', async (decision, kind) => {
    const outbox = phone.open()
    phone.answer = () => ({ result: 'conflict', reason: 'collect_off' })
    phone.answerPhoto = () => status(404)
    const blob = new Blob(['x'])
    const { id } = await outbox.enqueue(input('collect'), [{ id: 'p1', kind, takenAt: '', blob }])
    await phone.settle()
    expect([phone.attention(), phone.photos.get('p1')?.state]).toEqual([['collect_off'], 'attention'])
    phone.answerPhoto = () => null
    const bundle = { days: [], answers: [{ commandId: id, decision, note: '', by: 'Dana' }] } as unknown as CrewBundle
    await outbox.saveBundle(bundle)
    await phone.settle()
    expect(outbox.get().photos).toEqual([])
    expect(phone.photos.size).toBe(0)
    const sent = phone.log.filter((line) => line === `photo ${kind}`).length
    expect(sent).toBe(kind === 'check' && decision === 'stands' ? 1 : 2)
  })

  it('a photo that is not taken after the decision either stays for its person, and is not tried with every answer', async () => {
    const outbox = phone.open()
    phone.answer = () => ({ result: 'conflict', reason: 'collect_off' })
    phone.answerPhoto = () => status(404)
    const { id } = await outbox.enqueue(input('collect'), [
      { id: 'p1', kind: 'check', takenAt: '', blob: new Blob(['x']) },
    ])
    await phone.settle()
    const bundle = { days: [], answers: [{ commandId: id, decision: 'counts', note: '', by: '' }] } as never
    for (let n = 0; n < 3; n += 1) await outbox.saveBundle(bundle).then(phone.settle)
    expect(phone.log.filter((line) => line === 'photo check')).toHaveLength(2)
    expect(outbox.get().photos).toMatchObject([{ state: 'attention' }])
  })

  it.each(
    (['counts', 'stands'] as const).flatMap((decision) =>
      (['got there', 'was refused'] as const).flatMap((end) =>
        (['before', 'while'] as const).map((when) => [decision, when, end] as const),
      ),
    ),
  )(
    'a decision (%s) that is heard %s a photo that was on its way %s: no try too many, and none is called lost',
    async (decision, when, end) => {
      const outbox = phone.open()
      phone.answer = () => ({ result: 'conflict', reason: 'collect_off' })
      let arrive: () => void = () => undefined
      const tries: string[] = []
      phone.answerPhoto = ({ id }) => {
        tries.push(id)
        if (tries.length > 1) return null
        return new Promise<void>((resolve, reject) => {
          arrive = () => (end === 'got there' ? resolve() : reject(status(404)))
        })
      }
      const { id } = await outbox.enqueue(input('collect'), [
        { id: 'p1', kind: 'check', takenAt: '', blob: new Blob(['x']) },
        { id: 'p2', kind: 'check', takenAt: '', blob: new Blob(['y']) },
      ])
      await phone.settle()
      const answer = { commandId: id, decision, note: '', by: '' }
      const heard = outbox.saveBundle({ days: [], answers: [answer] } as never)
      if (when === 'before') await heard
      arrive()
      await heard
      await phone.settle()
      await outbox.reload()
      await phone.settle()
      await outbox.flush()
      expect([outbox.get().photos, [...phone.photos.keys()]]).toEqual([[], []])
      const again = end === 'was refused' && decision === 'counts'
      expect(tries.filter((one) => one === 'p1')).toHaveLength(again ? 2 : 1)
    },
  )
})
