import { useState } from 'react'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { MapView } from '../../../ui/MapView.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { seasonApi, type WhatIf } from '../contract.ts'
import { shortDays, wishLimits, wishRefusal } from '../rules.ts'

type Place = { lat: number; lng: number }
type Overview = {
  crews: readonly { id: string; name: string; lat: number; lng: number }[]
  neighborhoods: readonly ({ name: string; jobs: number } & Place)[]
}
type Props = { overview: Overview; pending: boolean; onStart: (wish: WhatIf) => void; onClose: () => void }

const kinds: { value: WhatIf['kind']; label: string }[] = [
  { value: 'crew', label: 'One more crew' },
  { value: 'depot', label: 'Start elsewhere' },
  { value: 'lawns', label: 'New lawns' },
  { value: 'days', label: 'Other work days' },
]
const week = [1, 2, 3, 4, 5, 6, 0]
const onMap = 'map'

/** A number beyond what is counted is refused at its field, not by the server. */
const limits = (kind: keyof typeof wishLimits) => ({
  min: wishLimits[kind].min,
  max: wishLimits[kind].max,
  refuse: (value: number) => wishRefusal(kind, value),
})

/** A change that is only thought of: what it would bring in hours and dollars. */
export const WhatIfDialog = ({ overview, pending, onStart, onClose }: Props) => {
  const { crews, neighborhoods } = overview
  const [kind, setKind] = useState<WhatIf['kind']>('crew')
  const [crewId, setCrewId] = useState(crews[0]?.id ?? '')
  const [around, setAround] = useState(neighborhoods[0]?.name ?? onMap)
  const [pressed, setPressed] = useState<Place | null>(null)
  const [lawns, setLawns] = useState<number | null>(30)
  const [radius, setRadius] = useState<number | null>(1)
  const [minutes, setMinutes] = useState<number | null>(40)
  const [everyWeeks, setEveryWeeks] = useState('1')
  const [days, setDays] = useState<string[]>(['1', '2', '3', '4'])
  const found = neighborhoods.find((one) => one.name === around)
  const place = around === onMap ? pressed : found ? { lat: found.lat, lng: found.lng } : null
  const sameStart = kind === 'crew' && around === ''
  const wish = ((): WhatIf | null => {
    if (kind === 'crew')
      return crewId === '' || (!sameStart && !place)
        ? null
        : { kind, likeCrewId: crewId, place: sameStart ? null : place }
    if (kind === 'depot') return place ? { kind, crewId: crewId === '' ? null : crewId, place } : null
    if (kind === 'days') return days.length > 0 && days.length < 7 ? { kind, days: days.map(Number) } : null
    return place && lawns && radius && minutes
      ? { kind, count: lawns, place, radiusMiles: radius, minutes, everyWeeks: Number(everyWeeks) }
      : null
  })()
  /** What still has to be said before it can be shown, in words beside the button. */
  const missing = ((): string | null => {
    if (wish) return null
    if (kind === 'days')
      return days.length === 0 ? 'Choose at least one day.' : 'All seven days are no change: leave one out.'
    if (kind === 'crew' && crewId === '') return 'Choose a crew that it is like.'
    if (!(kind === 'crew' && sameStart) && !place)
      return around === onMap ? 'Press the map where it is meant.' : 'Choose a place.'
    return 'Type how many lawns, how long each takes and how far they lie.'
  })()
  const [pressedTooEarly, setPressedTooEarly] = useState(false)
  /** "All crews" and "the same place" are choices of one kind only. */
  const choose = (next: WhatIf['kind']) => {
    setKind(next)
    setPressedTooEarly(false)
    if (next === 'crew' && crewId === '') setCrewId(crews[0]?.id ?? '')
    if (next !== 'crew' && around === '') setAround(neighborhoods[0]?.name ?? onMap)
  }
  return (
    <Dialog open onClose={onClose} title="What if…" size="l">
      <form
        className="ui-form"
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          if (wish) onStart(wish)
          else setPressedTooEarly(true)
        }}
      >
        <FilterChips
          single
          label="What changes"
          chips={kinds}
          values={[kind]}
          onChange={([next]) => choose(next ?? kind)}
        />
        <FieldGrid min={200}>
          {kind === 'crew' || kind === 'depot' ? (
            <SelectField
              label={kind === 'crew' ? 'A crew like' : 'Which crew'}
              value={crewId}
              onChange={setCrewId}
              {...(kind === 'depot' ? { placeholder: 'All crews' } : {})}
              options={crews.map((crew) => ({ value: crew.id, label: crew.name }))}
            />
          ) : null}
          {kind === 'lawns' ? (
            <>
              <NumberField label="How many" value={lawns} onChange={setLawns} {...limits('count')} />
              <NumberField label="Labor minutes each" value={minutes} onChange={setMinutes} {...limits('minutes')} />
              <SelectField
                label="How often"
                value={everyWeeks}
                onChange={setEveryWeeks}
                options={[
                  { value: '1', label: 'Every week' },
                  { value: '2', label: 'Every other week' },
                  { value: '4', label: 'Every four weeks' },
                ]}
              />
              <NumberField label="Within miles" value={radius} onChange={setRadius} {...limits('radiusMiles')} />
            </>
          ) : null}
          {kind === 'days' ? null : (
            <SelectField
              label={kind === 'lawns' ? 'Around' : 'Starts in'}
              value={around}
              onChange={setAround}
              {...(kind === 'crew' ? { placeholder: 'The same place' } : {})}
              options={[
                ...neighborhoods.map((one) => ({ value: one.name, label: `${one.name} (${one.jobs})` })),
                { value: onMap, label: 'A place on the map' },
              ]}
            />
          )}
        </FieldGrid>
        {kind === 'days' ? (
          <>
            <FilterChips
              label="All crews work on"
              chips={week.map((day) => ({ value: String(day), label: shortDays[day] ?? '' }))}
              values={days}
              onChange={setDays}
            />
            <p className="hint">Each crew keeps the hours of its week: a day of four is longer than a day of five.</p>
          </>
        ) : around === onMap ? (
          <>
            <p className="hint">{pressed ? 'Press again to move it.' : 'Press the map where it is meant.'}</p>
            <MapView
              cooperative
              height={260}
              label="Where it is meant"
              pins={[
                ...crews.map((crew) => ({
                  id: crew.id,
                  lat: crew.lat,
                  lon: crew.lng,
                  name: `${crew.name} starts here`,
                  kind: 'depot' as const,
                })),
                ...(pressed
                  ? [
                      {
                        id: 'here',
                        lat: pressed.lat,
                        lon: pressed.lng,
                        name: 'Here',
                        kind: 'customer' as const,
                        selected: true,
                      },
                    ]
                  : []),
              ]}
              fitKey="once"
              onMapClick={({ lat, lon }) => setPressed({ lat, lng: lon })}
            />
          </>
        ) : null}
        {pressedTooEarly && missing ? <Banner tone="warn">{missing}</Banner> : null}
        <FormActions>
          <Button kind="primary" type="submit" calls={seasonApi.start} loading={pending}>
            Show what it brings
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
