import { describe, expect, it } from 'vitest'
import { roomOf } from './rules.ts'

const [mowing, rounds, other] = ['mowing', 'rounds', 'other']
const quote = 'quote'
const shares = {
  cents: new Map([
    [mowing, 5000],
    [rounds, 3000],
    [other, 2000],
  ]),
  quoteOf: new Map([
    [mowing, quote],
    [rounds, quote],
  ]),
}
const ofQuote = { jobId: null, quoteId: quote }
const ofJob = (jobId: string) => ({ jobId, quoteId: null })

describe('what money paid ahead may pay of an invoice', () => {
  it('is all the work of its quote, the work of its job, and nothing else', () => {
    const room = roomOf(shares, [])
    expect([room.for(ofQuote), room.for(ofJob(mowing)), room.for(ofJob(other))]).toEqual([8000, 5000, 2000])
    expect([room.for({ jobId: null, quoteId: 'another' }), room.for(ofJob('another'))]).toEqual([0, 0])
    expect(room.for({ jobId: null, quoteId: null })).toBe(0)
  })

  it('is less by what such money paid of it, whoever of job and quote paid it', () => {
    const room = roomOf(shares, [
      { ...ofJob(rounds), cents: 1000 },
      { ...ofQuote, cents: 5000 },
    ])
    expect([room.for(ofQuote), room.for(ofJob(mowing)), room.for(ofJob(rounds))]).toEqual([2000, 2000, 2000])
    room.take(ofJob(mowing), 2000)
    expect([room.for(ofQuote), room.for(ofJob(rounds)), room.for(ofJob(other))]).toEqual([0, 0, 2000])
  })

  it('is all of the invoice that bills a quote as a whole', () => {
    const room = roomOf({ cents: new Map([[quote, 9000]]), quoteOf: new Map() }, [{ ...ofQuote, cents: 4000 }])
    expect(room.for(ofQuote)).toBe(5000)
  })
})
