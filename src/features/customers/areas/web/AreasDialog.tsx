import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { call } from '../../../../shared/client.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { IconArrowBackUp, IconPlus, IconTrash } from '../../../../ui/icons.ts'
import { MapView } from '../../../../ui/MapView.tsx'
import type { MapLine, MapPin } from '../../../../ui/mapPins.ts'
import { NumberField } from '../../../../ui/NumberField.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import type { Property } from '../../contract.ts'
import { areasApi, type PropertyAreas } from '../contract.ts'
import {
  areaKindLabels,
  areaKinds,
  areaLabel,
  bedsOf,
  edgesOf,
  feetAround,
  lawnOf,
  most,
  replacedLawn,
  shapeProblem,
  squareFeetOf,
} from '../rules.ts'
import { areasQuery } from './data.ts'
import {
  addCorner,
  canClose,
  changeArea,
  close,
  cornerId,
  type DraftArea,
  type Drawing,
  drawingOf,
  moveCorner,
  oldSquareFeet,
  readCornerId,
  removeArea,
  removeCorner,
  sentArea,
  startArea,
  startHole,
  typeArea,
  undo,
} from './drawing.ts'
import './areas.css'

const kinds = areaKinds.map((value) => ({ value, label: areaKindLabels[value] }))
const colors = { turf: 'var(--crew-1)', bed: 'var(--crew-3)', edge: 'var(--crew-5)', other: 'var(--crew-7)' } as const
const feet = (count: number): string => `${count.toLocaleString('en-US')} sq ft`
const long = (count: number): string => `${count.toLocaleString('en-US')} ft`
const longOf = (area: DraftArea): number | null => (area.rings ? feetAround(area.rings) : area.feet)
const sizeOf = (area: DraftArea): number => (area.rings ? squareFeetOf(area.rings) : (area.squareFeet ?? 0))

const oldOf = (area: DraftArea): string | undefined => {
  const old = oldSquareFeet(area)
  return old === null ? undefined : `Typed as ${feet(old)} before. It stays so until you type its feet.`
}

type Props = {
  property: Pick<Property, 'id' | 'street' | 'latitude' | 'longitude'>
  /** What it was opened for: a new area is of that kind. */
  wanted?: DraftArea['kind']
  onClose: () => void
}

/** Measures a property: outlines drawn on the map, or sizes typed. */
export const AreasDialog = ({ property, wanted = 'turf', onClose }: Props) => {
  const found = useQuery(areasQuery(property.id))
  return (
    <Dialog open onClose={onClose} size="full" closeOnOutside={false} title={`Measure ${property.street}`}>
      {found.data ? (
        <Editor property={property} wanted={wanted} saved={found.data} onClose={onClose} />
      ) : found.isError ? (
        <ErrorState error={found.error} onRetry={found.refetch} retrying={found.isFetching} />
      ) : (
        <PanelSkeleton />
      )}
    </Dialog>
  )
}

const wants = {
  bed: 'No beds yet: draw them, or type their square feet.',
  edge: 'No edges yet: draw them, or type their feet.',
} as const

const Editor = ({ property, wanted, saved, onClose }: Required<Props> & { saved: PropertyAreas }) => {
  // what was there when the drawing began: somebody else's change is told when it is saved
  const [begun] = useState(saved)
  const [drawing, setDrawing] = useState<Drawing>(() => drawingOf(begun.items))
  const [chosen, setChosen] = useState<string | null>(begun.items[0]?.id ?? null)
  const [corner, setCorner] = useState<string | null>(null)
  const [asking, setAsking] = useState(false)
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: () =>
      call(areasApi.save, {
        params: { id: property.id },
        body: {
          version: begun.version,
          areas: drawing.areas.map(sentArea),
        },
      }),
    onSuccess: ({ areas }) => {
      client.setQueryData(areasQuery(property.id).queryKey, areas)
      void client.invalidateQueries({ queryKey: ['customers'] })
      // quotes show and price by what was measured
      void client.invalidateQueries({ queryKey: ['quotes'] })
      toast.success(`${property.street} is measured`)
      onClose()
    },
  })
  const { line, areas } = drawing
  const lawn = lawnOf(areas.map((area) => ({ kind: area.kind, squareFeet: sizeOf(area) })))
  const beds = bedsOf(areas.map((area) => ({ kind: area.kind, squareFeet: sizeOf(area) })))
  const edges = edgesOf(areas.map((area) => ({ kind: area.kind, feetAround: longOf(area) })))
  const others = [
    beds === null ? null : `${feet(beds)} of beds`,
    edges === null ? null : `${long(edges)} of edges`,
  ].filter((one) => one !== null)
  const typed = replacedLawn(begun, lawn)
  const stays = lawn === null ? begun.lawnSquareFeet : null
  const problem =
    areas
      .map((area, at) =>
        area.rings
          ? shapeProblem(areaLabel(area, at), area.rings)
          : area.kind === 'edge'
            ? area.feet || oldSquareFeet(area)
              ? null
              : `Type the feet of ${areaLabel(area, at)}.`
            : area.squareFeet
              ? null
              : `Type the square feet of ${areaLabel(area, at)}.`,
      )
      .find((one) => one !== null) ?? null

  const pins = useMemo<MapPin[]>(() => {
    const shown = line?.key ?? chosen
    const corners = areas
      .filter((area) => area.key === shown)
      .flatMap((area) =>
        (area.rings ?? []).flatMap((ring, r) =>
          ring.map(([lat, lon], at) => ({
            id: cornerId({ key: area.key, ring: r }, at),
            lat,
            lon,
            name: `${r === 0 ? 'Corner' : `Hole ${r}, corner`} ${at + 1}`,
            label: String(at + 1),
            color: colors[area.kind],
            kind: 'customer' as const,
            selected: corner === cornerId({ key: area.key, ring: r }, at),
          })),
        ),
      )
    const home =
      property.latitude === null || property.longitude === null
        ? []
        : [
            {
              id: 'home',
              lat: property.latitude,
              lon: property.longitude,
              name: property.street,
              kind: 'depot' as const,
              faded: true,
            },
          ]
    return [...home, ...corners] as MapPin[]
  }, [areas, line, chosen, corner, property])
  const lines = useMemo<MapLine[]>(
    () =>
      areas.flatMap((area) =>
        (area.rings ?? []).flatMap((ring, r) => {
          const isOpen = line?.key === area.key && line.ring === r
          const points = [...ring, ...(isOpen ? [] : ring.slice(0, 1))].map(([lat, lon]) => ({ lat, lon }))
          return points.length < 2
            ? []
            : [{ id: `${area.key}/${r}`, color: colors[area.kind], points, dashed: isOpen || r > 0 }]
        }),
      ),
    [areas, line],
  )
  const draggable = useMemo(() => pins.flatMap(({ id }) => (id === 'home' ? [] : [id])), [pins])

  const begin = (start: typeof startArea) => {
    const key = crypto.randomUUID()
    setChosen(key)
    setCorner(null)
    setDrawing((now) => start(now, key, wanted))
  }
  const pick = (id: string) => {
    const read = readCornerId(id)
    if (!read) return
    if (line) return setDrawing((now) => (read.at === 0 ? close(now) : now))
    setCorner(id)
  }
  const chosenCorner = corner ? readCornerId(corner) : null
  return (
    <div className="areas-editor">
      <div className="areas-editor__map">
        <MapView
          label={`Areas of ${property.street}`}
          pins={pins}
          lines={lines}
          closest={19}
          fromAbove
          fitKey={property.id}
          draggableIds={draggable}
          onPinClick={pick}
          onMapClick={({ lat, lon }) => {
            setCorner(null)
            setDrawing((now) => addCorner(now, [lat, lon]))
          }}
          onPinDrag={(id, { lat, lon }) => {
            const read = readCornerId(id)
            if (read) setDrawing((now) => moveCorner(now, read.line, read.at, [lat, lon]))
          }}
        />
      </div>
      <div className="areas-editor__side">
        {(wanted === 'bed' || wanted === 'edge') && !areas.some(({ kind }) => kind === wanted) ? (
          <p>
            <b>{wants[wanted]}</b>
          </p>
        ) : null}
        <p role="status" className="areas-editor__sum">
          <b>{lawn !== null ? feet(lawn) : stays === null ? 'No turf yet' : `${feet(stays)}, not measured here`}</b>{' '}
          <span className="hint">
            {lawn !== null
              ? 'of turf: the lawn size for prices, minutes and material'
              : stays === null
                ? 'Draw the turf, or type its square feet. It becomes the lawn size for prices, minutes and material.'
                : 'It stays the lawn size until turf is drawn or typed here.'}
            {typed === null ? null : ` Until now ${feet(typed)} stood there.`}
          </span>
          {others.length === 0 ? null : (
            <span className="hint"> Besides {others.join(' and ')}, for the services that go by them.</span>
          )}
        </p>
        <div className="areas-editor__tools">
          <Button
            size="s"
            icon={<IconPlus />}
            disabled={line !== null || areas.length >= most.areas}
            onClick={() => begin(startArea)}
          >
            Draw an area
          </Button>
          <Button size="s" disabled={line !== null || areas.length >= most.areas} onClick={() => begin(typeArea)}>
            Type a size
          </Button>
          <Button
            size="s"
            kind="quiet"
            icon={<IconArrowBackUp />}
            disabled={drawing.past.length === 0}
            onClick={() => {
              setCorner(null)
              setDrawing(undo)
            }}
          >
            Undo
          </Button>
          {line ? (
            <Button size="s" disabled={!canClose(drawing)} onClick={() => setDrawing(close)}>
              Close the outline
            </Button>
          ) : null}
          {chosenCorner && !line ? (
            <Button
              size="s"
              icon={<IconTrash />}
              onClick={() => {
                setCorner(null)
                setDrawing((now) => removeCorner(now, chosenCorner.line, chosenCorner.at))
              }}
            >
              Remove corner {chosenCorner.at + 1}
            </Button>
          ) : null}
        </div>
        {line ? (
          <p className="hint">Tap the corners on the map one after the other; the first corner closes the outline.</p>
        ) : null}
        <ul className="areas-editor__list">
          {areas.map((area, at) => (
            <li key={area.key} data-chosen={area.key === chosen || undefined}>
              <div className="areas-editor__row">
                <SelectField
                  label={`Kind of area ${at + 1}`}
                  hideLabel
                  options={kinds}
                  value={area.kind}
                  onChange={(kind) => setDrawing((now) => changeArea(now, area.key, { kind }))}
                />
                <TextField
                  label={`Name of area ${at + 1}`}
                  hideLabel
                  placeholder={areaLabel(area, at)}
                  maxLength={60}
                  value={area.name}
                  onChange={(name) => setDrawing((now) => changeArea(now, area.key, { name }))}
                />
              </div>
              {area.rings ? (
                <p className="num">
                  {area.kind === 'edge' ? long(feetAround(area.rings)) : feet(sizeOf(area))}{' '}
                  <span className="hint">
                    {area.kind === 'edge' ? 'around, its length' : `${long(feetAround(area.rings))} around`}
                  </span>
                </p>
              ) : area.kind === 'edge' ? (
                <NumberField
                  label={`Feet of area ${at + 1}`}
                  unit="ft"
                  hint={oldOf(area)}
                  min={1}
                  max={most.feet}
                  value={area.feet}
                  onChange={(next) => setDrawing((now) => changeArea(now, area.key, { feet: next }))}
                />
              ) : (
                <NumberField
                  label={`Square feet of area ${at + 1}`}
                  unit="sq ft"
                  min={1}
                  max={most.squareFeet}
                  value={area.squareFeet}
                  onChange={(squareFeet) => setDrawing((now) => changeArea(now, area.key, { squareFeet }))}
                />
              )}
              <div className="areas-editor__tools">
                {area.rings && area.key !== chosen ? (
                  <Button size="s" kind="quiet" disabled={line !== null} onClick={() => setChosen(area.key)}>
                    Show corners
                  </Button>
                ) : null}
                {area.rings ? (
                  <Button
                    size="s"
                    kind="quiet"
                    disabled={line !== null || area.rings.length >= most.rings}
                    onClick={() => {
                      setChosen(area.key)
                      setDrawing((now) => startHole(now, area.key))
                    }}
                  >
                    Cut a hole
                  </Button>
                ) : null}
                <Button
                  size="s"
                  kind="quiet"
                  onClick={() => {
                    setCorner(null)
                    setDrawing((now) => removeArea(now, area.key))
                  }}
                >
                  Remove
                </Button>
              </div>
            </li>
          ))}
        </ul>
        {save.isError ? <ErrorState compact error={save.error} title="Not saved: your drawing is still here" /> : null}
        {problem && !line && areas.length > 0 ? <Banner tone="warn">{problem}</Banner> : null}
        <FormActions>
          <Button
            calls={areasApi.save}
            kind="primary"
            loading={save.isPending}
            disabled={line !== null || problem !== null}
            onClick={() => (typed === null ? save.mutate() : setAsking(true))}
          >
            Save areas
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
        {typed === null || lawn === null ? null : (
          <ConfirmDialog
            open={asking}
            onClose={() => setAsking(false)}
            title="Another lawn size?"
            confirmLabel={`Use ${feet(lawn)}`}
            cancelLabel="Keep drawing"
            onConfirm={() => save.mutateAsync()}
          >
            The lawn of {property.street} stands with {feet(typed)}; the turf here measures {feet(lawn)}. Prices,
            minutes and material go by the measured size from now on. Prices that were agreed stay as they are.
          </ConfirmDialog>
        )}
      </div>
    </div>
  )
}
