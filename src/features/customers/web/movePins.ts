import { useMemo, useRef, useState } from 'react'
import type { z } from 'zod'
import { toast } from '../../../ui/toast.tsx'
import type { customersApi } from '../contract.ts'
import { useSetLocation } from './data.ts'

type Pin = z.output<typeof customersApi.map.response>['pins'][number]
type Place = { lat: number; lon: number }
/** Where a pin was put; `version` is null until the server has it. */
type Put = { place: Place; version: number | null }

/**
 * Pins where they were put, and `move` to put one. Of one pin only one change is on its way, over the version of the one before: a second
 * step in a row is no change by somebody else. Of what is wished for meanwhile the last is sent.
 */
export const useMovePins = (pins: readonly Pin[], onRefused: () => void) => {
  const locate = useSetLocation()
  const [put, setPut] = useState<ReadonlyMap<string, Put>>(new Map())
  const saved = useRef(new Map<string, number>())
  const waiting = useRef(new Map<string, Place | null>())
  const show = (id: string, next: Put | null) =>
    setPut((before) => {
      const after = new Map(before)
      if (next) after.set(id, next)
      else after.delete(id)
      return after
    })

  const run = async ({ id, street }: Pin, from: Place, to: Place, version: number): Promise<void> => {
    let last = version
    try {
      for (let place: Place | null = to; place; place = waiting.current.get(id) ?? null) {
        waiting.current.set(id, null)
        const body = { id, latitude: place.lat, longitude: place.lon, version: last }
        last = (await locate.mutateAsync(body)).version
        saved.current.set(id, last)
        if (!waiting.current.get(id)) show(id, { place, version: last })
      }
      toast.undo(`${street} is where you put it`, () => begin(id, from, () => saved.current.get(id) ?? last))
    } catch (error) {
      show(id, null)
      toast.error(error)
      onRefused()
    } finally {
      waiting.current.delete(id)
    }
  }
  const latest = useRef<readonly Pin[]>(pins)
  const begin = (id: string, to: Place, over: (pin: Pin) => number) => {
    const pin = latest.current.find((one) => one.id === id)
    if (!pin) return
    show(id, { place: to, version: null })
    if (waiting.current.has(id)) waiting.current.set(id, to)
    else void run(pin, { lat: pin.latitude, lon: pin.longitude }, to, over(pin))
  }
  const shown = useMemo(
    () =>
      pins.map((pin) => {
        const own = put.get(pin.id)
        // the list has it by now, or something newer
        if (!own || (own.version !== null && own.version <= pin.version)) return pin
        return { ...pin, latitude: own.place.lat, longitude: own.place.lon }
      }),
    [pins, put],
  )
  latest.current = shown
  const move = (id: string, to: Place) =>
    begin(id, to, (pin) => Math.max(pin.version, saved.current.get(id) ?? pin.version))
  return { pins: shown, move }
}
