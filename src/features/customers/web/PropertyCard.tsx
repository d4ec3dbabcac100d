import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { cityLine } from '../../../shared/address-lines.ts'
import { recordParam } from '../../../shared/links.ts'
import { isApproximate, zip5 } from '../../../shared/places.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import {
  IconArchive,
  IconArrowBackUp,
  IconDog,
  IconDotsVertical,
  IconExternalLink,
  IconEye,
  IconEyeOff,
  IconMap2,
  IconMapPin,
  IconPencil,
} from '../../../ui/icons.ts'
import { KeyValue } from '../../../ui/KeyValue.tsx'
import { lazyPart } from '../../../ui/lazyAhead.tsx'
import { Menu } from '../../../ui/Menu.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { areasApi } from '../areas/contract.ts'
import { type CustomerRecord, customersApi, type Property } from '../contract.ts'
import { customFacts } from '../custom/web/customFacts.ts'
import { useCustomFields } from '../custom/web/data.ts'
import { useArchiveProperty, useRevealGateCode } from './data.ts'

const AreasDialog = lazyPart(() => import('../areas/web/AreasDialog.tsx').then((m) => m.AreasDialog))
const PropertyDialog = lazyPart(() => import('./PropertyDialog.tsx').then((m) => m.PropertyDialog))

const shownMs = 30_000

/** The code stays behind dots until asked for, and goes back behind them after half a minute. */
const GateCode = ({ propertyId }: { propertyId: string }) => {
  const reveal = useRevealGateCode()
  const mayReveal = useMay()(customersApi.revealGateCode)
  const code = reveal.data?.gateCode
  const { reset } = reveal
  useEffect(() => {
    if (code === undefined) return
    const timer = setTimeout(reset, shownMs)
    return () => clearTimeout(timer)
  }, [code, reset])
  return (
    <span className="gate-code">
      <span className="num" aria-live="polite">
        {code ?? '••••'}
      </span>
      {mayReveal ? (
        <Button
          size="s"
          kind="quiet"
          icon={code === undefined ? <IconEye /> : <IconEyeOff />}
          loading={reveal.isPending}
          onClick={() => (code === undefined ? reveal.mutate(propertyId, { onError: toast.error }) : reset())}
        >
          {code === undefined ? 'Show' : 'Hide'}
        </Button>
      ) : null}
      {code === undefined && mayReveal ? <span className="hint">each look is logged</span> : null}
    </span>
  )
}

const clippings = { mulch: 'Mulch', bag: 'Bag', side: 'Side discharge' } as const
const navigateTo = (p: Property): string =>
  `https://www.google.com/maps/dir/?api=1&destination=${p.latitude === null ? encodeURIComponent([p.street, p.city, p.state, p.zip].filter(Boolean).join(', ')) : `${p.latitude},${p.longitude}`}`

/** How well the place is known, as far as there is something to do about it. */
const PlaceState = ({ property: p, onSet }: { property: Property; onSet: () => void }) => {
  const rough = isApproximate(p.geocodeQuality)
  if (p.latitude !== null && !rough && !p.geocodeWaiting) return null
  const zip = zip5(p.zip)
  const note =
    p.geocodeNote || (p.geocodeQuality === 'zip' && zip ? `The pin stands in the middle of ZIP code ${zip}.` : '')
  return (
    <div className="property-card__place">
      <p className="property-card__pin">
        {p.geocodeWaiting ? (
          <Badge tone="neutral">Looking the address up</Badge>
        ) : (
          <Badge tone="wait">{rough ? 'Approximate place' : 'No map pin yet'}</Badge>
        )}
        {p.can.locate ? (
          <Button size="s" kind="quiet" icon={<IconMapPin />} onClick={onSet}>
            Set it on the map
          </Button>
        ) : null}
      </p>
      {note && !p.geocodeWaiting ? <p className="hint">{note}</p> : null}
    </div>
  )
}

export const PropertyCard = ({ customer, property: p }: { customer: CustomerRecord; property: Property }) => {
  const { can } = p
  const archive = useArchiveProperty()
  const [query, setQuery] = useSearchParams()
  const [chosen, setEditing] = useState<'form' | 'pin' | 'areas' | null>(null)
  const fields = useCustomFields('property')
  const mayMeasure = useMay()(areasApi.save)
  // a link from where a price lacks its measure opens the drawing at once
  const isLed = query.get(recordParam.measure) === p.id && can.update && mayMeasure && p.archivedAt === null
  const editing = chosen ?? (isLed ? 'areas' : null)
  const measured = () => {
    setEditing(null)
    if (isLed)
      setQuery(
        (old) => {
          const next = new URLSearchParams(old)
          next.delete(recordParam.measure)
          return next
        },
        { replace: true },
      )
  }
  const archivedItems = () =>
    archive.mutate(
      { id: p.id },
      {
        onSuccess: () =>
          toast.undo(`${p.street} is archived`, () =>
            archive.mutate({ id: p.id, back: true }, { onError: toast.error }),
          ),
        onError: toast.error,
      },
    )
  return (
    <article className="property-card">
      <header>
        <div>
          <h4>
            {p.street}
            {p.unit ? `, ${p.unit}` : ''}
          </h4>
          <p className="muted">{cityLine(p)}</p>
        </div>
        {can.unarchive ? (
          <Button
            size="s"
            icon={<IconArrowBackUp />}
            loading={archive.isPending}
            onClick={() => archive.mutate({ id: p.id, back: true }, { onError: toast.error })}
          >
            Bring back
          </Button>
        ) : null}
        {p.archivedAt ? null : (
          <div className="property-card__tools">
            {can.update ? (
              <IconButton
                size="s"
                label={`Edit ${p.street}`}
                icon={<IconPencil />}
                onClick={() => setEditing('form')}
              />
            ) : null}
            <Menu
              items={[
                can.update &&
                  mayMeasure && {
                    label: 'Measure on the map',
                    icon: <IconMap2 size={18} />,
                    onClick: () => setEditing('areas'),
                  },
                can.locate && {
                  label: p.latitude === null ? 'Set the map pin' : 'Move the map pin',
                  icon: <IconMapPin size={18} />,
                  onClick: () => setEditing('pin'),
                },
                {
                  label: 'Directions',
                  icon: <IconExternalLink size={18} />,
                  onClick: () => window.open(navigateTo(p), '_blank', 'noreferrer'),
                },
                can.archive && 'line',
                can.archive && {
                  label: 'Archive this property',
                  icon: <IconArchive size={18} />,
                  onClick: archivedItems,
                },
              ]}
            >
              <IconButton size="s" label={`More for ${p.street}`} icon={<IconDotsVertical />} tooltip={false} />
            </Menu>
          </div>
        )}
      </header>
      {p.dog ? (
        <p className="property-card__dog">
          <IconDog size={18} aria-hidden="true" />
          <span>Dog: {p.dog}</span>
        </p>
      ) : null}
      {p.archivedAt ? null : <PlaceState property={p} onSet={() => setEditing('pin')} />}
      <KeyValue
        labelWidth={108}
        items={[
          { label: 'Gate code', value: p.hasGateCode ? <GateCode propertyId={p.id} /> : null },
          {
            label: 'Lawn',
            value: p.lawnSquareFeet === null ? null : `${p.lawnSquareFeet.toLocaleString('en-US')} sq ft`,
          },
          {
            label: 'Beds',
            value: p.bedSquareFeet === null ? null : `${p.bedSquareFeet.toLocaleString('en-US')} sq ft`,
          },
          { label: 'Edges', value: p.edgeFeet === null ? null : `${p.edgeFeet.toLocaleString('en-US')} ft` },
          {
            label: 'Mowing',
            value: [
              p.mowHeightInches === null ? '' : `${p.mowHeightInches} in`,
              clippings[p.clippings],
              p.difficulty > 1 ? `difficulty ${p.difficulty}` : '',
            ]
              .filter(Boolean)
              .join(' · '),
          },
          { label: 'Do not mow', value: p.noGo },
          { label: 'Parking', value: p.parking },
          ...customFacts(fields, p.custom),
          { label: 'Notes', value: p.notes ? <span className="pre-line">{p.notes}</span> : null },
        ]}
      />
      {editing === 'areas' ? <AreasDialog property={p} onClose={measured} /> : null}
      {editing === 'form' || editing === 'pin' ? (
        <PropertyDialog customer={customer} property={p} pinOnly={editing === 'pin'} onClose={() => setEditing(null)} />
      ) : null}
    </article>
  )
}
