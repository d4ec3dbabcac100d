import { useState } from 'react'
import { type Address, addressLine, isApproximate } from '../../../shared/places.ts'
import { Button } from '../../../ui/Button.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { IconSearch } from '../../../ui/icons.ts'
import { NumberField } from '../../../ui/NumberField.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { PlaceFound } from '../contract.ts'
import { useFindPlace } from './data.ts'
import { PinKeys } from './PinKeys.tsx'
import './places.css'

/** `rough`: only the middle of a ZIP code or area, until somebody drags it. */
export type PlacePin = { lat: number; lon: number; rough?: boolean }

type Props = {
  /** What is typed in the form now. */
  address: () => Address
  pin: PlacePin | null
  onPin: (pin: PlacePin) => void
  /** What is looked for: "the house", "the depot". */
  what: string
}

const foundMessage = ({ quality, note, latitude }: PlaceFound, what: string): string =>
  latitude === null
    ? note
    : quality === 'rooftop'
      ? `Found: the pin stands on ${what}.`
      : quality === 'street'
        ? `Found on its street. Look whether the pin stands on ${what}.`
        : `${note || 'No address service is connected, so this is the middle of the ZIP code.'} Drag the pin to ${what}.`

/** Finds a place without a mouse: by the address in the form, or by latitude and longitude. */
export const PlaceTools = ({ address, pin, onPin, what }: Props) => {
  const find = useFindPlace()
  const [words, setMessage] = useState('')
  const [half, setHalf] = useState<{ lat: number | null; lon: number | null } | null>(null)
  const search = () => {
    const typed = address()
    if (addressLine(typed) === '') return setMessage('Type the address first.')
    setMessage('')
    find.mutate(typed, {
      onSuccess: (found) => {
        setMessage(foundMessage(found, what))
        setHalf(null)
        if (found.latitude !== null && found.longitude !== null)
          onPin({ lat: found.latitude, lon: found.longitude, rough: isApproximate(found.quality) })
      },
      onError: toast.error,
    })
  }
  const lat = half ? half.lat : (pin?.lat ?? null)
  const lon = half ? half.lon : (pin?.lon ?? null)
  const type = (next: { lat: number | null; lon: number | null }) => {
    const whole =
      next.lat !== null && next.lon !== null && Math.abs(next.lat) <= 90 && Math.abs(next.lon) <= 180 ? next : null
    setHalf(whole ? null : next)
    if (whole) onPin({ lat: whole.lat as number, lon: whole.lon as number })
  }
  const error = (value: number | null, most: number, name: string) =>
    value !== null && Math.abs(value) > most ? `${name} goes from -${most} to ${most}.` : undefined
  return (
    <div className="place-tools">
      <div className="place-tools__find">
        <Button size="s" icon={<IconSearch />} loading={find.isPending} onClick={search}>
          Find the address
        </Button>
        <span role="status">{words}</span>
      </div>
      {pin ? <PinKeys pin={pin} onPin={onPin} /> : null}
      <details>
        <summary>Latitude and longitude</summary>
        <FieldGrid min={140}>
          <NumberField
            name="latitude"
            label="Latitude"
            step={0.0001}
            min={-90}
            max={90}
            value={lat}
            onChange={(value) => type({ lat: value, lon })}
            error={error(lat, 90, 'Latitude')}
            hint="32.0506; arrow keys move by about 40 feet"
          />
          <NumberField
            name="longitude"
            label="Longitude"
            step={0.0001}
            min={-180}
            max={180}
            value={lon}
            onChange={(value) => type({ lat, lon: value })}
            error={error(lon, 180, 'Longitude')}
            hint="-81.1034, negative in America"
          />
        </FieldGrid>
      </details>
    </div>
  )
}
