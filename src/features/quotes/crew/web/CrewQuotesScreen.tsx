import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../../../shared/client.ts'
import { Alert } from '../../../../ui/field/Alert.tsx'
import { CheckItem } from '../../../../ui/field/CheckItem.tsx'
import { ChoiceList } from '../../../../ui/field/ChoiceList.tsx'
import { FieldButton } from '../../../../ui/field/FieldButton.tsx'
import { FieldCard } from '../../../../ui/field/FieldCard.tsx'
import { FieldInput } from '../../../../ui/field/FieldInput.tsx'
import { FieldScreen } from '../../../../ui/field/FieldScreen.tsx'
import { FieldSkeleton } from '../../../../ui/field/FieldSkeleton.tsx'
import { PhotoButton } from '../../../../ui/field/PhotoButton.tsx'
import { shrinkPhoto } from '../../../../ui/shrinkPhoto.ts'
import { toast } from '../../../../ui/toast.tsx'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { CrewHeader } from '../../../crewapp/web/CrewHeader.tsx'
import { useCrew } from '../../../crewapp/web/data.ts'
import type { CrewScreenProps } from '../../../crewapp/web/TodayScreen.tsx'
import { type CrewQuote, crewQuotesApi } from '../contract.ts'
import { useQuoteDraft } from './draft.ts'
import { crewQuoteTexts } from './texts.ts'

const crewQuotesQuery = queryOptions({
  queryKey: ['quotes', 'crew'],
  queryFn: ({ signal }) => call(crewQuotesApi.list, {}, { signal }),
})

type Texts = (typeof crewQuoteTexts)['en']

const numberOf = (text: string): number | null => {
  const number = Number(text.replaceAll(',', '').trim())
  return text.trim() !== '' && Number.isFinite(number) && number > 0 ? number : null
}

const usePhotos = (failed: string, ids: readonly string[], onAdd: (id: string) => void) => {
  const [busy, setBusy] = useState(false)
  const add = useIdempotentMutation({
    mutationFn: (photo: Blob, key: string) => call(crewQuotesApi.addPhoto, { body: photo }, { idempotencyKey: key }),
  })
  const take = async (files: readonly File[]) => {
    setBusy(true)
    try {
      for (const file of files.slice(0, 6 - ids.length)) {
        const { id } = await add.mutateAsync(await shrinkPhoto(file))
        onAdd(id)
      }
    } catch {
      toast.error(failed)
    } finally {
      setBusy(false)
    }
  }
  return { ids, busy, take }
}

const Mine = ({ items, t }: { items: readonly CrewQuote[]; t: Texts }) =>
  items.length === 0 ? null : (
    <FieldCard>
      <h2>{t.mine}</h2>
      <ul className="c-items">
        {items.map((one) => (
          <li key={one.id}>
            <b>{one.street}</b>
            <span className="c-ago">{t.states[one.status]}</span>
            <span className="muted c-sheet__line">{one.services.join(', ')}</span>
          </li>
        ))}
      </ul>
    </FieldCard>
  )

/** What a customer would like, noted at a stop: services, areas and photos, nothing about money. The office prices it. */
export const CrewQuotesScreen = ({ dock }: CrewScreenProps) => {
  const crew = useCrew()
  const t = crewQuoteTexts[crew.language]
  const client = useQueryClient()
  const found = useQuery(crewQuotesQuery)
  const draft = useQuoteDraft(crew.outbox.userId)
  const { picked, note } = draft.kept
  const [wrong, setWrong] = useState(false)
  const create = useIdempotentMutation({
    mutationFn: (body: Parameters<typeof call<typeof crewQuotesApi.create>>[1]['body'], key: string) =>
      call(crewQuotesApi.create, { body }, { idempotencyKey: key }),
    onSuccess: () => client.invalidateQueries({ queryKey: crewQuotesQuery.queryKey }),
  })
  const data = found.data
  const places = data?.places ?? []
  const { propertyId: place } = draft.kept
  const only = places.length === 1 ? (places[0]?.propertyId ?? null) : null
  // what was noted at a stop of another day is never put on today's
  const propertyId = place === null ? only : places.some((one) => one.propertyId === place) ? place : null
  const change: typeof draft.set = (part) =>
    draft.set((now) => ({ propertyId: now.propertyId ?? propertyId, ...part(now) }))
  const changing = useRef(change)
  changing.current = change
  const photos = usePhotos(t.failed, draft.kept.photoIds, (id) =>
    changing.current(({ photoIds }) => ({ photoIds: [...photoIds, id] })),
  )
  const size = (feet: number) => t.lawn(feet.toLocaleString('en-US'))
  const send = async () => {
    const lines = Object.entries(picked).map(([serviceId, { squareFeet, quantity }]) => {
      const feet = numberOf(squareFeet)
      return {
        serviceId,
        quantity: Math.round((numberOf(quantity) ?? 1) * 1000) / 1000,
        squareFeet: feet === null ? null : Math.round(feet),
      }
    })
    if (!propertyId || lines.length === 0) return setWrong(true)
    try {
      await create.mutateAsync({ propertyId, lines, note, photoIds: [...photos.ids] })
      toast.success(t.sent)
      draft.clear()
      setWrong(false)
    } catch {
      toast.error(t.failed)
    }
  }
  return (
    <FieldScreen header={<CrewHeader crew={crew} title={t.title} />} dock={dock(null)}>
      <div className="c-day">
        {found.isPending ? (
          <FieldSkeleton label={t.title} />
        ) : !data ? (
          <FieldCard>
            <div className="c-stack">
              <Alert tone="danger">{t.notLoaded}</Alert>
              <FieldButton onClick={() => void found.refetch()} busy={found.isFetching}>
                {t.again}
              </FieldButton>
            </div>
          </FieldCard>
        ) : (
          <>
            <FieldCard>
              {places.length === 0 ? (
                <p>{t.nowhere}</p>
              ) : (
                <div className="c-stack">
                  <p className="muted">{t.lead}</p>
                  <ChoiceList
                    label={t.where}
                    value={propertyId}
                    onChange={(id) => {
                      setWrong(false)
                      draft.set(() => ({ propertyId: id }))
                    }}
                    choices={places.map((one) => ({
                      value: one.propertyId,
                      label: one.street,
                      hint: [
                        one.lawnSquareFeet === null ? null : size(one.lawnSquareFeet),
                        // one area that is the whole lawn says the same again
                        ...one.areas
                          .filter(({ squareFeet }) => one.areas.length > 1 || squareFeet !== one.lawnSquareFeet)
                          .map(
                            ({ name, kind, squareFeet }) =>
                              `${name || t.kinds[kind]} ${squareFeet.toLocaleString('en-US')}`,
                          ),
                      ]
                        .filter(Boolean)
                        .join(', '),
                    }))}
                  />
                  <fieldset className="f-choices">
                    <legend>{t.what}</legend>
                    {data.services.map(({ id, name }) => {
                      const mine = picked[id]
                      return (
                        <div key={id} className="c-stack">
                          <CheckItem
                            label={name}
                            checked={mine !== undefined}
                            onChange={(on) => {
                              setWrong(false)
                              change((now) => {
                                const { [id]: _, ...others } = now.picked
                                return { picked: on ? { ...others, [id]: { squareFeet: '', quantity: '' } } : others }
                              })
                            }}
                          />
                          {mine ? (
                            <>
                              <FieldInput
                                label={t.size}
                                inputMode="numeric"
                                value={mine.squareFeet}
                                onChange={(squareFeet) =>
                                  change((now) => ({ picked: { ...now.picked, [id]: { ...mine, squareFeet } } }))
                                }
                              />
                              <FieldInput
                                label={t.many}
                                inputMode="decimal"
                                value={mine.quantity}
                                onChange={(quantity) =>
                                  change((now) => ({ picked: { ...now.picked, [id]: { ...mine, quantity } } }))
                                }
                              />
                            </>
                          ) : null}
                        </div>
                      )
                    })}
                  </fieldset>
                  <FieldInput
                    label={t.note}
                    lines={3}
                    maxLength={2000}
                    value={note}
                    onChange={(words) => change(() => ({ note: words }))}
                  />
                  {photos.ids.length > 0 ? <p role="status">{t.photos(photos.ids.length)}</p> : null}
                  {photos.ids.length < 6 ? (
                    <PhotoButton multiple busy={photos.busy} onPhotos={(files) => void photos.take(files)}>
                      {t.photo}
                    </PhotoButton>
                  ) : null}
                  {photos.ids.length > 0 ? (
                    <FieldButton kind="quiet" onClick={() => change(() => ({ photoIds: [] }))}>
                      {t.remove}
                    </FieldButton>
                  ) : null}
                  {wrong ? <Alert tone="danger">{t.choose}</Alert> : null}
                  <FieldButton kind="main" busy={create.isPending} onClick={() => void send()}>
                    {t.send}
                  </FieldButton>
                </div>
              )}
            </FieldCard>
            <Mine items={data.items} t={t} />
          </>
        )}
      </div>
    </FieldScreen>
  )
}
