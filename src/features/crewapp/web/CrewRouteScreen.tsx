import { Suspense, useEffect, useState } from 'react'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { FieldCard } from '../../../ui/field/FieldCard.tsx'
import { FieldEmpty } from '../../../ui/field/FieldEmpty.tsx'
import { FieldScreen } from '../../../ui/field/FieldScreen.tsx'
import { FieldSkeleton } from '../../../ui/field/FieldSkeleton.tsx'
import { IconMap2 } from '../../../ui/icons.ts'
import { lazyAhead } from '../../../ui/lazyAhead.tsx'
import { looksAtMaps } from '../../../ui/mapMemory.ts'
import { prefetchMap } from '../../../ui/mapPrefetch.ts'
import type { CrewStop } from '../contract.ts'
import { currentStop } from '../projection/rules.ts'
import { CrewHeader } from './CrewHeader.tsx'
import { useCrew } from './data.ts'
import { countedStops } from './labels.ts'
import { NotLoaded } from './NotLoaded.tsx'
import { RouteSketch } from './RouteSketch.tsx'
import { StopList } from './StopList.tsx'
import { StopSheet } from './StopSheet.tsx'
import type { CrewScreenProps } from './TodayScreen.tsx'
import './crewapp.css'

const RouteMap = lazyAhead(() => import('./RouteMap.tsx').then((m) => m.RouteMap))

/** The day as a drawing and a list; the street map only for whoever asks for it. */
export const CrewRouteScreen = ({ dock }: CrewScreenProps) => {
  const crew = useCrew()
  const [openId, setOpenId] = useState<string | null>(null)
  const [map, setMap] = useState(false)
  const { t, plan, sync } = crew
  const { online } = sync
  useEffect(() => {
    if (!online || !looksAtMaps()) return
    prefetchMap()
    RouteMap.ahead()
  }, [online])
  const stops = plan ? countedStops(plan) : []
  const numberOf = (stop: CrewStop) => stops.findIndex((s) => s.id === stop.id) + 1
  const next = plan ? currentStop(plan, null) : null
  const title = `${t.route} · ${t.stopsCount(stops.length)}`
  return (
    <FieldScreen header={<CrewHeader crew={crew} title={plan ? title : t.route} />} dock={dock(null)}>
      <div className="c-day">
        {!plan && !crew.error ? <FieldSkeleton label={t.loading} /> : null}
        {plan && stops.length === 0 ? (
          <FieldCard>
            <FieldEmpty title={t.emptyTitle}>{t.emptyText}</FieldEmpty>
          </FieldCard>
        ) : null}
        {!plan && crew.error ? <NotLoaded failed title={t.failedRoute} t={t} onRetry={crew.retry} /> : null}
        {plan && stops.length > 0 ? (
          <>
            <FieldCard flush>
              {map ? (
                <div className="c-map">
                  <Suspense fallback={<FieldSkeleton label={t.loading} />}>
                    <RouteMap plan={plan} nextId={next?.id ?? null} t={t} onOpen={setOpenId} />
                  </Suspense>
                </div>
              ) : (
                <RouteSketch
                  stops={stops}
                  depot={plan.crew?.depot ? { ...plan.crew.depot, name: t.depot } : null}
                  label={t.sketch}
                  nextId={next?.id ?? null}
                  numberOf={numberOf}
                />
              )}
            </FieldCard>
            <div style={{ padding: '0 16px' }}>
              <FieldButton
                icon={<IconMap2 aria-hidden="true" />}
                disabled={!map && !sync.online}
                onClick={() => setMap(!map)}
              >
                {map ? t.hideMap : t.streetMap}
              </FieldButton>
              {!map && !sync.online ? <p className="hint">{t.mapNeedsSignal}</p> : null}
            </div>
            <StopList crew={crew} stops={stops} numberOf={numberOf} onOpen={(s) => setOpenId(s.id)} />
          </>
        ) : null}
      </div>
      <StopSheet crew={crew} stop={stops.find((s) => s.id === openId) ?? null} onClose={() => setOpenId(null)} />
    </FieldScreen>
  )
}
