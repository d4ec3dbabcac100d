import { beforeEach, describe, expect, it } from 'vitest'
import { ApiError } from '../../../shared/client.ts'
import type { Clock } from '../../timeclock/contract.ts'
import type { CrewBundle } from '../contract.ts'
import { projectBundle } from '../projection/rules.ts'
import type { CrewCommand } from '../rules.ts'
import { aPhone } from './aPhone.ts'
import type { PhotoWay } from './outboxState.ts'
import { unsentOf } from './outboxState.ts'

let phone: ReturnType<typeof aPhone>
beforeEach(() => {
  phone = aPhone()
})
const input = (type: CrewCommand['type'], holdMs = 0) => ({ type, visitId: 'v', payload: {}, label: 'Oak St', holdMs })
const noSignal = new ApiError('network', 'no', 0)
const status = (code: number) => new ApiError('internal', 'no', code)

describe('the outbox', () => {
  const aPhoto = (id: string, visitId = 'v') => ({ id, visitId, kind: 'after' as const, takenAt: '', label: 'Oak St' })

  it('lets go of the day when its person leaves, and of an answer that was on its way; what was not sent stays', async () => {
    const outbox = phone.open()
    const bundle = { days: [], timeZone: 'America/New_York' } as unknown as CrewBundle
    const clock = { state: 'off' } as unknown as Clock
    phone.answer = () => noSignal
    await outbox.enqueue(input('start'))
    await outbox.saveBundle(bundle)
    expect(outbox.get().bundle).not.toBeNull()
    await outbox.forget()
    await outbox.saveBundle(bundle)
    await outbox.loadClock(async () => clock)
    expect([outbox.get().bundle, outbox.get().clock, phone.waiting()]).toEqual([null, null, 1])
    outbox.arrive()
    await outbox.saveBundle(bundle)
    expect(outbox.get().bundle).not.toBeNull()
  })

  it('a day that was on its way while a tap was taken does not bring the stop back as it was, also where there was no day yet', async () => {
    const outbox = phone.open()
    phone.answer = () => ({ visit: { id: 'v', version: 3, status: 'completed', order: 1 } as never })
    await outbox.enqueue(input('finish'))
    await phone.settle()
    const old = { days: [{ day: '2026-06-12', stops: [{ id: 'v', version: 2, status: 'started', order: 1 }] }] }
    await outbox.saveBundle(old as never)
    expect(outbox.get().bundle?.days[0]?.stops).toMatchObject([{ version: 3, status: 'completed' }])
  })

  it('what was paid while there was no day yet is not owed in a day that was read before, and not newer than one read after', async () => {
    const outbox = phone.open()
    phone.answer = () => ({ door: { visitIds: ['v'], owedCents: 0, asOf: '2026-06-12T14:00:00Z' } as never })
    await outbox.enqueue(input('collect'))
    await phone.settle()
    const read = (owedCents: number, asOf: string) => ({
      today: '2026-06-12',
      days: [{ day: '2026-06-12', stops: [{ id: 'v', version: 2, status: 'started', order: 1 }] }],
      doors: [{ visitIds: ['v'], owedCents, asOf }],
    })
    await outbox.saveBundle(read(5500, '2026-06-12T13:59:00Z') as never)
    expect(outbox.get().bundle?.doors).toMatchObject([{ owedCents: 0 }])
    await outbox.saveBundle(read(7000, '2026-06-12T14:05:00Z') as never)
    expect(outbox.get().bundle?.doors).toMatchObject([{ owedCents: 7000 }])
  })

  it('writes down before it sends, sends in order, and forgets only what was answered', async () => {
    const outbox = phone.open()
    await outbox.enqueue(input('start'))
    await phone.settle()
    await outbox.enqueue(input('finish'))
    await phone.settle()
    expect(phone.log).toEqual(['kept start', 'sent start', 'kept finish', 'sent finish'])
    expect([phone.waiting(), outbox.get().commands]).toEqual([0, []])
  })

  it('loses nothing without a signal, when the app is killed, and sends it all in order later', async () => {
    phone.answer = () => noSignal
    const first = phone.open()
    for (const type of ['clock_in', 'start', 'finish'] as const) await first.enqueue(input(type))
    await phone.settle()
    expect([phone.waiting(), first.get().reached]).toEqual([3, false])
    phone.answer = () => ({ result: 'duplicate' })
    const second = phone.open()
    await second.flush()
    expect(phone.log.at(-1)).toBe('sent clock_in start finish')
    expect(phone.waiting()).toBe(0)
  })

  it('opens on what was read before the app was there, and sends what waits in it', async () => {
    phone.answer = () => noSignal
    const first = phone.open()
    await first.enqueue(input('start'))
    await phone.settle()
    phone.answer = () => ({ result: 'applied' })
    const bundle = { days: [], timeZone: 'America/New_York' } as unknown as CrewBundle
    const second = phone.open('luis', { ...(await phone.load('luis')), bundle })
    expect(second.get()).toMatchObject({ ready: true, bundle, commands: [{ command: { type: 'start' } }] })
    await second.flush()
    expect([phone.waiting(), second.get().commands]).toEqual([0, []])
  })

  it('tries again after 1, 2, 4 … 60 seconds, also on a busy server', async () => {
    phone.answer = () => status(503)
    const outbox = phone.open()
    await outbox.enqueue(input('start'))
    await phone.settle()
    for (let i = 0; i < 7; i++) await phone.pass(60_000)
    expect(phone.pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
    expect(outbox.get().reached).toBe(true)
    phone.answer = () => ({})
    await phone.pass(60_000)
    expect(phone.waiting()).toBe(0)
  })

  it('asks about what it still holds beyond the answers of the day, in turns, and forgets nothing when nobody answers', async () => {
    phone.answer = () => ({ result: 'conflict', reason: 'not_yours' })
    const outbox = phone.open()
    const ids: string[] = []
    for (let i = 0; i < 205; i++) ids.push((await outbox.enqueue(input('finish'))).id)
    for (let i = 0; i < 12; i++) await phone.settle()
    expect(phone.attention()).toHaveLength(205)
    const bundle = { today: '2026-06-12', timeZone: 'UTC', serverTime: '2026-06-12T12:00:00Z', days: [] }
    const answerTo = (commandId: string) => ({ commandId, decision: 'counts' as const, note: '', by: 'Kim' })
    phone.answersTo = async () => {
      throw noSignal
    }
    await outbox.saveBundle({ ...bundle, answers: ids.slice(0, 2).map(answerTo) })
    expect(phone.attention()).toHaveLength(203)
    phone.log.length = 0
    phone.answersTo = async (held) => held.map(answerTo)
    await outbox.saveBundle(bundle)
    expect(phone.log).toEqual(['asked 200', 'asked 3'])
    expect([phone.attention(), unsentOf(outbox.get())]).toEqual([[], 0])
    // who holds nothing asks nothing
    phone.log.length = 0
    await outbox.saveBundle(bundle)
    expect(phone.log).toEqual([])
  })

  it('counts a photo once, also where the day was read after the photo got there and before its answer', async () => {
    const outbox = phone.open()
    const stop = (photos: number, pictures: { id: string; kind: 'after' }[]) =>
      ({
        today: '2026-06-12',
        timeZone: 'UTC',
        days: [
          {
            day: '2026-06-12',
            stops: [{ id: 'v', version: 2, order: 1, photos: { before: 0, after: photos, other: 0 }, pictures }],
          },
        ],
      }) as unknown as CrewBundle
    await outbox.saveBundle(stop(0, []))
    let arrived = () => {}
    phone.answerPhoto = () =>
      new Promise((done) => {
        arrived = done
      })
    await outbox.addPhoto(aPhoto('a'), new Blob(['x']))
    await phone.settle()
    const shown = () => {
      const { bundle, photos } = outbox.get()
      return bundle && projectBundle(bundle, [], photos).days[0]?.stops[0]?.photos.after
    }
    expect(shown()).toBe(1)
    await outbox.saveBundle(stop(1, [{ id: 'a', kind: 'after' }]))
    expect(shown()).toBe(1)
    arrived()
    await phone.settle()
    expect([phone.photos.size, shown()]).toEqual([0, 1])
  })

  it('is rid of a worry when the office has decided, and keeps the words of the answer until they are read', async () => {
    phone.answer = () => ({ result: 'conflict', reason: 'canceled' })
    const outbox = phone.open()
    const { id } = await outbox.enqueue(input('finish'))
    await phone.settle()
    const answer = { commandId: id, decision: 'counts' as const, note: 'Thanks', by: 'Kim' }
    const bundle = { today: '2026-06-12', timeZone: 'UTC', serverTime: '2026-06-12T12:00:00Z', days: [] }
    await outbox.saveBundle({ ...bundle, answers: [{ ...answer, commandId: 'of another phone' }, answer] })
    expect(outbox.get().commands.map((c) => [c.state, c.answer?.note])).toEqual([['answered', 'Thanks']])
    expect(unsentOf(outbox.get())).toBe(0)
    // it is not sent again, also not with the rest, and outlives the app
    phone.log.length = 0
    await outbox.retry()
    expect(phone.log).toEqual([])
    const again = phone.open()
    await again.reload()
    expect(again.get().commands[0]?.state).toBe('answered')
    await again.discard(id)
    expect(again.get().commands).toEqual([])
  })

  it('keeps a message with all its photos or not at all, so that it names none that never comes', async () => {
    const outbox = phone.open()
    const photo = (id: string) => ({
      id,
      kind: 'chat' as const,
      takenAt: '2026-06-12T15:00:00Z',
      blob: new Blob(['p']),
    })
    const say = () =>
      outbox.enqueue({ type: 'chat', payload: { text: 'Two gates', photoIds: ['a', 'b'] }, label: 'Chat' }, [
        photo('a'),
        photo('b'),
      ])
    phone.fullAfter = 1
    await expect(say()).rejects.toThrow()
    expect([phone.commands.size, phone.photos.size, outbox.get().commands.length]).toEqual([0, 0, 0])
    phone.fullAfter = 2
    phone.photosGo = false
    const { id } = await say()
    expect([...phone.photos.values()].map((one) => [one.id, one.visitId])).toEqual([
      ['a', id],
      ['b', id],
    ])
    expect(outbox.get().photos).toHaveLength(2)
  })

  it('keeps photos for Wi-Fi while everything else leaves, where the phone is set so', async () => {
    phone.photosGo = false
    const outbox = phone.open()
    await outbox.addPhoto(
      { visitId: 'a', kind: 'after', takenAt: '2026-06-12T12:00:00Z', label: 'Oak' },
      new Blob(['x']),
    )
    await outbox.enqueue(input('finish'))
    await phone.settle()
    expect([phone.log, outbox.get().photos.length]).toEqual([['kept finish', 'sent finish'], 1])
    phone.photosGo = true
    await outbox.flush()
    expect([phone.log.at(-1), outbox.get().photos, outbox.get().underWay]).toEqual(['photo after', [], null])
  })

  it('waits for a sign-in on 401 and drops nothing', async () => {
    phone.answer = () => status(401)
    const outbox = phone.open()
    await outbox.enqueue(input('start'))
    await phone.settle()
    expect([outbox.get().needsSignIn, phone.waiting()]).toEqual([true, 1])
    phone.answer = () => ({})
    await outbox.flush()
    expect([outbox.get().needsSignIn, phone.waiting()]).toEqual([false, 0])
  })

  it('keeps conflicts and refusals in sight and goes on with the rest', async () => {
    phone.answer = (c) =>
      c.type === 'start' ? { result: 'conflict', reason: 'canceled' } : { result: 'refused', reason: 'not_yours' }
    const outbox = phone.open()
    await outbox.enqueue(input('start'))
    await outbox.enqueue(input('note'))
    await phone.settle()
    expect(phone.attention()).toEqual(['canceled', 'not_yours'])
    const [first] = outbox.get().commands
    await outbox.discard(first?.command.id ?? '')
    phone.answer = () => ({})
    await outbox.retry()
    expect(phone.commands.size).toBe(0)
  })

  it('finds the one of many that the server does not take, and shows it', async () => {
    phone.answer = () => noSignal
    const outbox = phone.open()
    for (const type of ['start', 'note', 'finish'] as const) await outbox.enqueue(input(type))
    await phone.settle()
    phone.answer = (c) => (c.type === 'note' ? status(422) : {})
    await outbox.flush()
    await phone.settle()
    expect(phone.attention()).toEqual(['rejected'])
    expect(phone.waiting()).toBe(0)
  })

  it('goes on past one command that breaks the server every time, with the photos, and keeps it in sight', async () => {
    phone.answer = (c) => (c.type === 'note' ? status(500) : {})
    const outbox = phone.open()
    phone.photosGo = false
    await outbox.addPhoto(aPhoto('a'), new Blob(['x']))
    phone.photosGo = true
    for (const type of ['start', 'note', 'finish'] as const) await outbox.enqueue(input(type))
    for (let i = 0; i < 4; i++) await phone.pass(60_000)
    expect([phone.attention(), phone.waiting(), phone.photos.size]).toEqual([['failed'], 0, 0])
    expect(phone.log.filter((line) => line === 'sent finish')).toHaveLength(1)
    // it can be sent again
    phone.answer = () => ({})
    await outbox.retry()
    expect(phone.commands.size).toBe(0)
  })

  it('gives nothing up while the server breaks over everything', async () => {
    phone.answer = () => status(500)
    const outbox = phone.open()
    for (const type of ['start', 'note', 'finish'] as const) await outbox.enqueue(input(type))
    for (let i = 0; i < 8; i++) await phone.pass(60_000)
    expect([phone.attention(), phone.waiting(), outbox.get().reached]).toEqual([[], 3, true])
    phone.answer = () => ({})
    await phone.pass(60_000)
    expect(phone.waiting()).toBe(0)
  })

  it('gets rid of what the server has although the phone is full, says that it is full and not that there is no signal', async () => {
    phone.answer = (c) => (c.type === 'note' ? { result: 'conflict', reason: 'canceled' } : {})
    const outbox = phone.open()
    const bundle = { today: '2026-06-12', timeZone: 'UTC', serverTime: '2026-06-12T12:00:00Z', days: [] }
    phone.cannotWrite = true
    await outbox.saveBundle(bundle)
    expect(outbox.get()).toMatchObject({ bundle, reached: true, full: true })
    for (const type of ['start', 'note', 'finish'] as const) await outbox.enqueue(input(type))
    await phone.settle()
    await phone.pass(60_000)
    await outbox.flush()
    const sent = phone.log.filter((line) => line.startsWith('sent')).join(' ')
    expect(sent.match(/start|note|finish/g)?.sort()).toEqual(['finish', 'note', 'start'])
    expect(outbox.get().commands.map((c) => [c.command.type, c.state])).toEqual([['note', 'attention']])
    expect([outbox.get().reached, phone.commands.size]).toEqual([true, 1])
    // with room again all is as if it had always been written
    phone.cannotWrite = false
    await outbox.flush()
    expect([outbox.get().full, phone.attention()]).toEqual([false, ['canceled']])
  })

  it('tells the office at once what a full phone cannot write down, where there is a signal; without one it fails aloud', async () => {
    const outbox = phone.open()
    await outbox.enqueue(input('start'))
    await phone.settle()
    phone.cannotAdd = true
    phone.cannotWrite = true
    const { id } = await outbox.enqueue(input('finish', 6000))
    await phone.settle()
    await outbox.enqueue({ type: 'clock_out', payload: {}, label: '' })
    await phone.settle()
    expect(phone.log).toEqual(['kept start', 'sent start', 'sent finish', 'sent clock_out'])
    expect([outbox.get().commands, outbox.get().full, await outbox.withdraw(id)]).toEqual([[], true, false])
    // a tap whose way broke off is shown, stays in its order and goes with the next try
    phone.answer = () => noSignal
    await outbox.enqueue(input('note'))
    await phone.settle()
    expect([outbox.get().reached, outbox.get().commands.map(({ command }) => command.type)]).toEqual([false, ['note']])
    await expect(outbox.enqueue(input('skip'))).rejects.toThrow()
    phone.cannotAdd = false
    phone.cannotWrite = false
    phone.answer = () => ({})
    await outbox.enqueue(input('skip'))
    await outbox.flush()
    expect(phone.log.filter((line) => line.startsWith('sent')).at(-1)).toBe('sent note skip')
    expect([outbox.get().commands, phone.commands.size, outbox.get().full]).toEqual([[], 0, false])
  })

  it('can undo what still waits, and not what has left', async () => {
    const outbox = phone.open()
    const held = await outbox.enqueue(input('finish', 6000))
    await phone.settle()
    expect(phone.log).toEqual(['kept finish'])
    expect(await outbox.withdraw(held.id)).toBe(true)
    expect(phone.commands.size).toBe(0)
    const photo = { id: 'p1', kind: 'before', takenAt: '2026-06-12T12:00:00Z', blob: new Blob(['x']) } as const
    const shown = await outbox.enqueue(input('finish', 6000), [{ ...photo, visitId: 'v1' }])
    expect(outbox.get().photos).toHaveLength(1)
    expect(await outbox.withdraw(shown.id)).toBe(true)
    expect([phone.commands.size, outbox.get().photos]).toEqual([0, []])
    const second = await outbox.enqueue(input('finish', 6000))
    await outbox.enqueue(input('start'))
    await phone.settle()
    expect(phone.log.filter((l) => l.startsWith('sent'))).toEqual([])
    await phone.pass(6000)
    expect(phone.log.at(-1)).toBe('sent finish start')
    expect(await outbox.withdraw(second.id)).toBe(false)
    const third = await outbox.enqueue(input('skip', 6000))
    await outbox.release()
    expect([phone.log.at(-1), await outbox.withdraw(third.id)]).toEqual(['sent skip', false])
  })

  it('sends photos after the commands, and keeps one that is not taken in sight', async () => {
    const outbox = phone.open()
    phone.answer = () => noSignal
    await outbox.addPhoto({ visitId: 'v', kind: 'before', takenAt: '', label: 'Oak St' }, new Blob(['x']))
    await phone.settle()
    phone.log.length = 0
    phone.photos.clear()
    await outbox.reload()
    await outbox.enqueue(input('start'))
    await outbox.addPhoto({ visitId: 'v', kind: 'after', takenAt: '', label: 'Oak St' }, new Blob(['x']))
    await phone.settle()
    expect(phone.log.filter((l) => l.startsWith('photo'))).toEqual([])
    phone.answer = () => ({})
    phone.answerPhoto = () => status(415)
    await outbox.flush()
    expect(phone.log.slice(-2)).toEqual(['sent start', 'photo after'])
    expect(outbox.get().photos.map((p) => p.state)).toEqual(['attention'])
  })

  it('lets a tap overtake the photos, and a photo waits between two pieces until the tap is through', async () => {
    const outbox = phone.open()
    let way: PhotoWay | undefined
    let arrived = () => {}
    phone.answerPhoto = (_photo, given) => {
      way = given
      return new Promise((done) => {
        arrived = done
      })
    }
    for (const id of ['a', 'b', 'c']) await outbox.addPhoto(aPhoto(id), new Blob(['x']))
    await phone.settle()
    expect(phone.log).toEqual(['photo after'])
    let answerTap = () => {}
    phone.tapTakes = new Promise((done) => {
      answerTap = done
    })
    await outbox.enqueue(input('start'))
    await outbox.enqueue(input('finish'))
    await phone.settle()
    expect(phone.log.slice(1)).toEqual(['kept start', 'kept finish', 'sent start finish'])
    expect(outbox.get()).toMatchObject({ sendingTaps: true, underWay: { id: 'a' } })
    let mayGo = false
    void way?.beforePiece().then(() => {
      mayGo = true
    })
    await phone.settle()
    expect(mayGo).toBe(false)
    phone.tapTakes = null
    answerTap()
    await phone.settle()
    expect([mayGo, phone.waiting(), phone.log.at(-1)]).toEqual([true, 0, 'sent start finish'])
    phone.answerPhoto = () => null
    arrived()
    await phone.settle()
    expect([phone.photos.size, phone.log.filter((line) => line === 'photo after').length]).toEqual([0, 3])
  })

  it('sends the photos of something only after it, also when they belong to a part of it', async () => {
    phone.answer = () => noSignal
    const outbox = phone.open()
    await outbox.enqueue({ type: 'truck_check', payload: {}, label: '' }, [
      { id: 'd', visitId: 'a defect', kind: 'defect', takenAt: '', blob: new Blob(['x']) },
    ])
    await outbox.flush()
    await phone.settle()
    expect(phone.log.filter((line) => line.startsWith('photo'))).toEqual([])
    phone.answer = () => ({})
    await outbox.flush()
    await phone.settle()
    expect(phone.log.slice(-2)).toEqual(['sent truck_check', 'photo defect'])
    // what can still be undone holds up its own photos, and no others
    await outbox.enqueue({ ...input('finish', 6000) }, [
      { id: 'e', kind: 'after', takenAt: '', blob: new Blob(['x']), visitId: 'v' },
    ])
    await outbox.addPhoto(aPhoto('f'), new Blob(['x']))
    await phone.settle()
    expect([...phone.photos.keys()]).toEqual(['e'])
    await phone.pass(6000)
    expect([phone.photos.size, phone.waiting()]).toEqual([0, 0])
  })

  it('rests longer each time where no piece of a photo gets there, and lets the others go meanwhile', async () => {
    const outbox = phone.open()
    phone.answerPhoto = ({ id }, way) => {
      if (id !== 'bad') return null
      // the server says what it had before, and no more comes
      way.onSent(131_072)
      return status(503)
    }
    await outbox.addPhoto(aPhoto('bad'), new Blob(['x']))
    await outbox.addPhoto(aPhoto('good'), new Blob(['x']))
    await phone.settle()
    for (let i = 0; i < 6; i++) await phone.pass(60_000)
    expect([...phone.photos.keys()]).toEqual(['bad'])
    expect(phone.pauses).toEqual([1000, 1000, 2000, 4000, 8000, 16_000, 32_000])
    // half a minute of waiting does not shorten the rest
    const tries = phone.log.length
    outbox.nudge()
    await phone.settle()
    expect(phone.log.length).toBe(tries)
    // a piece that got there is progress
    phone.answerPhoto = (_photo, way) => {
      way.onSent(131_072)
      way.onSent(262_144)
      return status(503)
    }
    await phone.pass(60_000)
    expect(phone.pauses.at(-1)).toBe(1000)
  })

  it('says of a photo whose bytes are gone that it is lost, until a person has seen it', async () => {
    phone.photosGo = false
    const outbox = phone.open()
    await outbox.addPhoto(aPhoto('a'), new Blob(['x']))
    await outbox.addPhoto(aPhoto('b'), new Blob(['x']))
    phone.blobs.delete('a')
    phone.photosGo = true
    await outbox.flush()
    await phone.settle()
    expect(outbox.get().photos.map(({ id, state, reason }) => [id, state, reason])).toEqual([
      ['a', 'attention', 'lost'],
    ])
    expect(phone.log.filter((line) => line === 'photo after')).toHaveLength(1)
    await outbox.retry()
    await phone.settle()
    expect(outbox.get().photos.map(({ reason }) => reason)).toEqual(['lost'])
    await outbox.discard('a')
    expect([outbox.get().photos, phone.photos.size]).toEqual([[], 0])
  })

  it("never sends one person's work as another", async () => {
    phone.answer = () => noSignal
    await phone.open('luis').enqueue(input('finish'))
    await phone.settle()
    phone.answer = () => ({})
    const ana = phone.open('ana')
    await ana.flush()
    expect([ana.get().commands.length, phone.waiting()]).toEqual([0, 1])
  })

  it('sends once when two tabs wake up together', async () => {
    phone.answer = () => noSignal
    const one = phone.open()
    await one.enqueue(input('start'))
    await phone.settle()
    phone.answer = () => ({})
    phone.log.length = 0
    await Promise.all([one.flush(), phone.open().flush()])
    expect(phone.log).toEqual(['sent start'])
  })
})

describe('the clock', () => {
  const aClock = (changes: Partial<Clock>): Clock => ({
    state: 'off',
    since: null,
    clockedInAt: null,
    today: '1970-01-01',
    timeZone: 'America/New_York',
    serverTime: '1970-01-01T12:00:00Z',
    entries: [],
    week: { from: '1969-12-29', to: '1970-01-04', paidSeconds: 0, days: [] },
    forgotten: null,
    ...changes,
  })

  it('is not put back by an answer that was on its way while a tap was taken', async () => {
    const outbox = phone.open()
    const answers = [aClock({}), aClock({ state: 'working' })]
    await outbox.loadClock(async () => {
      if (answers.length === 2) {
        await outbox.enqueue({ type: 'clock_in', payload: {}, label: '' })
        await phone.settle()
      }
      return answers.shift()!
    })
    expect([outbox.get().clock?.state, answers.length]).toEqual(['working', 0])
  })

  it('lets go of what the office has decided about, and of nothing else', async () => {
    const outbox = phone.open()
    phone.answer = () => ({ result: 'conflict', reason: 'locked_week' })
    const one = await outbox.enqueue({ type: 'clock_in', payload: {}, label: '' })
    await outbox.enqueue({ type: 'clock_out', payload: {}, label: '' })
    await phone.settle()
    expect(phone.attention()).toEqual(['locked_week', 'locked_week'])
    await outbox.loadClock(async () => aClock({ settled: [one.id] }))
    expect([phone.attention(), outbox.get().commands.map((c) => c.command.type)]).toEqual([
      ['locked_week'],
      ['clock_out'],
    ])
  })
})
