import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Address } from '../../../shared/places.ts'
import { Button } from '../../../ui/Button.tsx'
import { IconMapPin } from '../../../ui/icons.ts'
import { MapView } from '../../../ui/MapView.tsx'
import { PlaceTools } from '../../geocoding/web/PlaceTools.tsx'
import { pinsQuery } from './data.ts'
import type { Pin } from './PropertyFields.tsx'

type Props = {
  pin: Pin
  name: string
  onPin: (pin: NonNullable<Pin>) => void
  /** The address as it is typed now. */
  address: () => Address
  exceptId?: string
  height?: number
  reset?: { label: string; onReset: () => void } | null
}

const most = 400

/** Sets one pin by a click or a drag, with the other customers around it for the eye. */
export const PinMap = ({ pin, name, onPin, address, exceptId, height = 280, reset }: Props) => {
  const others = useQuery(pinsQuery({}))
  const pins = useMemo(
    () => [
      ...(others.data?.pins ?? [])
        .filter((other) => other.id !== exceptId)
        .slice(0, most)
        .map((other) => ({
          id: other.id,
          lat: other.latitude,
          lon: other.longitude,
          name: `${other.name}, ${other.street}`,
          kind: 'customer' as const,
          color: 'var(--crew-8)',
          faded: true,
        })),
      ...(pin
        ? [
            {
              id: 'pin',
              lat: pin.lat,
              lon: pin.lon,
              rough: pin.rough ?? false,
              name,
              kind: 'customer' as const,
              label: '•',
              color: 'var(--crew-2)',
              selected: true,
            },
          ]
        : []),
    ],
    [others.data, pin, name, exceptId],
  )
  return (
    <div className="pin-map">
      <MapView
        label={`Where ${name} is`}
        pins={pins}
        height={height}
        cooperative
        draggableIds={['pin']}
        fitKey={others.data ? 'all' : 'none'}
        focusId={pin ? 'pin' : null}
        onMapClick={onPin}
        onPinClick={(id) => {
          // next door to somebody: begins on that neighbor, to be dragged from there
          const neighbor = pins.find((one) => one.id === id && one.id !== 'pin')
          if (neighbor) onPin({ lat: neighbor.lat, lon: neighbor.lon })
        }}
        onPinDrag={(_, place) => onPin(place)}
      />
      <p className="pin-map__words">
        <IconMapPin size={17} aria-hidden="true" />
        {pin?.rough
          ? 'This pin is approximate: drag it to the driveway.'
          : pin
            ? 'Drag the orange pin to the driveway.'
            : 'No map pin yet: find the address, or click the map where the house is.'}
        {reset ? (
          <Button kind="quiet" size="s" onClick={reset.onReset}>
            {reset.label}
          </Button>
        ) : null}
      </p>
      <PlaceTools address={address} pin={pin} onPin={onPin} what="the house" />
    </div>
  )
}
