import { useRef, useState } from 'react'
import { Alert } from '../../../../ui/field/Alert.tsx'
import { ChoiceList } from '../../../../ui/field/ChoiceList.tsx'
import { FieldButton } from '../../../../ui/field/FieldButton.tsx'
import { FieldCard } from '../../../../ui/field/FieldCard.tsx'
import { FieldInput } from '../../../../ui/field/FieldInput.tsx'
import { FieldScreen } from '../../../../ui/field/FieldScreen.tsx'
import { FieldSkeleton } from '../../../../ui/field/FieldSkeleton.tsx'
import { PhotoButton } from '../../../../ui/field/PhotoButton.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { isNotable, mostNotedPhotos } from '../../../quotes/crew/rules.ts'
import { askedOf } from '../../../services/measures/rules.ts'
import { CrewHeader } from '../CrewHeader.tsx'
import { type Crew, useCrew } from '../data.ts'
import { hasRoom, persistStorage, photosOf } from '../photo.ts'
import type { CrewScreenProps } from '../TodayScreen.tsx'
import { useQuoteDraft } from './draft.ts'
import { draftPhotos, dropDraftPhotos, keepDraftPhoto } from './draftPhotos.ts'
import { NotedQuotes } from './NotedQuotes.tsx'
import { NotedServices } from './NotedServices.tsx'
import { useCrewQuotes } from './quotePlaces.ts'
import { crewQuoteTexts } from './quoteTexts.ts'

type Texts = (typeof crewQuoteTexts)['en']

const numberOf = (text: string): number | null => {
  const number = Number(text.replaceAll(',', '').trim())
  return text.trim() !== '' && Number.isFinite(number) && number > 0 ? number : null
}

/** Photos of what is noted: on the phone before anything is sent, like all that a person does here. */
const usePhotos = (crew: Crew, t: Texts, count: number, onAdd: (id: string) => void) => {
  const [busy, setBusy] = useState(false)
  const take = async (files: readonly File[]) => {
    if (!(await hasRoom())) return void toast.error(crew.t.noRoom)
    setBusy(true)
    persistStorage()
    try {
      for (const file of files.slice(0, mostNotedPhotos - count))
        for (const photo of await photosOf([file])) {
          await keepDraftPhoto(crew.outbox.userId, photo)
          onAdd(photo.id)
        }
    } catch {
      toast.error(t.photoNotKept)
    } finally {
      setBusy(false)
    }
  }
  return { busy, take }
}

/** What a customer would like, noted at a stop: services, areas and photos, nothing about money. The office prices it. */
export const CrewQuotesScreen = ({ dock }: CrewScreenProps) => {
  const crew = useCrew()
  const t = crewQuoteTexts[crew.language]
  const { found: data, isAsOfBefore, waiting, isError, isFetching, again } = useCrewQuotes(crew)
  const draft = useQuoteDraft(crew.outbox.userId)
  const { picked, note, photos: photoIds, photoIds: sentBefore } = draft.kept
  const photoCount = photoIds.length + sentBefore.length
  const [wrong, setWrong] = useState<'choose' | 'numbers' | null>(null)
  const [saving, setSaving] = useState(false)
  const places = data?.places ?? []
  const { propertyId: place } = draft.kept
  const only = places.length === 1 ? (places[0]?.propertyId ?? null) : null
  // what was noted at a stop of another day is never put on today's
  const propertyId = place === null ? only : places.some((one) => one.propertyId === place) ? place : null
  const change: typeof draft.set = (part) =>
    draft.set((now) => ({ propertyId: now.propertyId ?? propertyId, ...part(now) }))
  const changing = useRef(change)
  changing.current = change
  const photos = usePhotos(crew, t, photoCount, (id) => changing.current((now) => ({ photos: [...now.photos, id] })))
  const size = (feet: number) => t.lawn(feet.toLocaleString('en-US'))
  const send = async () => {
    const lines = Object.entries(picked).map(([serviceId, { squareFeet, quantity }]) => {
      const typed = numberOf(squareFeet)
      const size = typed === null ? null : Math.round(typed)
      const measuredBy = data?.services.find(({ id }) => id === serviceId)?.measuredBy ?? 'lawn'
      return {
        serviceId,
        quantity: Math.round((numberOf(quantity) ?? 1) * 1000) / 1000,
        ...askedOf({ measuredBy, size }),
      }
    })
    if (!propertyId || lines.length === 0) return setWrong('choose')
    // said before the draft is gone, where it can still be put right
    if (!isNotable(lines)) return setWrong('numbers')
    // a photo that is still made small belongs to this quote, not to the next
    if (saving || photos.busy) return
    setSaving(true)
    try {
      persistStorage()
      const taken = await draftPhotos(crew.outbox.userId, photoIds)
      await crew.outbox.enqueue(
        {
          type: 'note_quote',
          payload: {
            noted: {
              propertyId,
              lines,
              note: note.trim(),
              ...(sentBefore.length > 0 ? { photoIds: sentBefore } : {}),
            },
          },
          label: places.find((one) => one.propertyId === propertyId)?.street ?? '',
        },
        taken.map((photo) => ({ ...photo, kind: 'quote' })),
      )
      draft.clear()
      setWrong(null)
      toast.success(t.sent)
      await dropDraftPhotos(photoIds)
    } catch {
      toast.error(t.notKept)
    } finally {
      setSaving(false)
    }
  }
  return (
    <FieldScreen header={<CrewHeader crew={crew} title={t.title} />} dock={dock(null)}>
      <div className="c-day">
        {!data && !isError ? (
          <FieldSkeleton label={t.title} />
        ) : !data ? (
          <FieldCard>
            <div className="c-stack">
              <Alert tone="danger">{t.notLoaded}</Alert>
              <FieldButton onClick={again} busy={isFetching}>
                {t.again}
              </FieldButton>
            </div>
          </FieldCard>
        ) : (
          <>
            {isAsOfBefore ? (
              <div style={{ padding: '0 16px' }}>
                <Alert tone="wait">{t.asOfBefore}</Alert>
              </div>
            ) : null}
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
                      setWrong(null)
                      draft.set(() => ({ propertyId: id }))
                    }}
                    choices={places.map((one) => ({
                      value: one.propertyId,
                      label: one.street,
                      hint: [
                        one.lawnSquareFeet === null ? null : size(one.lawnSquareFeet),
                        one.edgeFeet === null ? null : t.edges(one.edgeFeet.toLocaleString('en-US')),
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
                  <NotedServices
                    services={data.services}
                    picked={picked}
                    language={crew.language}
                    onPick={(part) => {
                      setWrong(null)
                      change(part)
                    }}
                    onType={change}
                  />
                  <FieldInput
                    label={t.note}
                    lines={3}
                    maxLength={2000}
                    value={note}
                    onChange={(words) => change(() => ({ note: words }))}
                  />
                  {photoCount > 0 ? <p role="status">{t.photos(photoCount)}</p> : null}
                  {photoCount < mostNotedPhotos ? (
                    <PhotoButton multiple busy={photos.busy} onPhotos={(files) => void photos.take(files)}>
                      {t.photo}
                    </PhotoButton>
                  ) : null}
                  {photoCount > 0 ? (
                    <FieldButton
                      kind="quiet"
                      onClick={() => {
                        change(() => ({ photos: [], photoIds: [] }))
                        void dropDraftPhotos(photoIds)
                      }}
                    >
                      {t.remove}
                    </FieldButton>
                  ) : null}
                  {wrong ? <Alert tone="danger">{t[wrong]}</Alert> : null}
                  <FieldButton kind="main" busy={saving || photos.busy} onClick={() => void send()}>
                    {t.send}
                  </FieldButton>
                </div>
              )}
            </FieldCard>
            <NotedQuotes items={data.items} waiting={waiting} language={crew.language} />
          </>
        )}
      </div>
    </FieldScreen>
  )
}
