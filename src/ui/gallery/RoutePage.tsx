import { useState } from 'react'
import { Bars } from '../Bars.tsx'
import { Button } from '../Button.tsx'
import { Card } from '../Card.tsx'
import { CommandPalette } from '../CommandPalette.tsx'
import { IconUser } from '../icons.ts'
import { MapView } from '../MapView.tsx'
import { PaletteBody } from '../PaletteBody.tsx'
import { SortableLists } from '../SortableLists.tsx'
import { Sparkline } from '../Sparkline.tsx'
import { Stat } from '../Stat.tsx'
import { StripLanes } from '../StripLanes.tsx'
import { moveBetween } from '../sortMoves.ts'
import { lanes } from './sample.ts'

const depot = { lat: 32.02, lon: -81.1 }
const crews = [0, 1, 2].map((crew) =>
  Array.from({ length: 12 }, (_, index) => ({
    id: `${crew}-${index}`,
    lat: 32.02 + Math.sin(index / 2 + crew) * 0.03 + (crew - 1) * 0.03,
    lon: -81.1 + Math.cos(index / 2) * 0.04 + (crew - 1) * 0.06,
  })),
)
const pins = [
  ...crews.flatMap((stops, crew) =>
    stops.map((stop, index) => ({
      ...stop,
      label: index + 1,
      name: `Stop ${index + 1} of crew ${crew + 1}`,
      color: `var(--crew-${crew + 1})`,
      selected: stop.id === '1-4',
      state: index < 3 ? ('done' as const) : index === 5 ? ('skipped' as const) : ('todo' as const),
    })),
  ),
  { id: 'yard', ...depot, name: 'Yard', kind: 'depot' as const },
]
const lines = crews.map((stops, crew) => ({
  id: `${crew}`,
  color: `var(--crew-${crew + 1})`,
  points: [depot, ...stops, depot],
}))

export const RoutePage = () => {
  const [order, setOrder] = useState<Record<string, string[]>>({
    north: ['132 Laurel Green Ct', '1513 Cathy St', '45 Wassaw Rd'],
    islands: ['12 Bluff Dr', '7 Tidewater Way'],
    later: [],
  })
  const [open, setOpen] = useState(false)
  const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']
  return (
    <main>
      <h1 className="ui-hidden">Route</h1>
      <div
        style={{
          display: 'grid',
          gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 320px), 1fr))',
          gap: 16,
          padding: 16,
        }}
      >
        <div style={{ gridColumn: '1 / -1' }}>
          <MapView
            label="Routes of Friday"
            pins={pins}
            lines={lines}
            height={420}
            cluster={new URLSearchParams(location.search).has('cluster')}
            onPinClick={(id) => console.log('pin', id)}
            onPinDrag={(id) => console.log('drag', id)}
          />
        </div>
        <Card title="Stops" flush>
          <SortableLists
            lists={Object.entries(order).map(([id, items]) => ({
              id,
              label: id,
              items,
              header: <h3 style={{ padding: '10px 14px 4px' }}>{id}</h3>,
            }))}
            itemId={(item) => item}
            itemLabel={(item) => item}
            render={(item) => <b>{item}</b>}
            onMove={(move) => setOrder(moveBetween(order, move.itemId, move.toListId, move.toIndex))}
          />
        </Card>
        <Card title="This week's money" hint="done → invoiced → paid">
          <Bars
            title="This week's money"
            series={[
              { key: 'done', label: 'Done' },
              { key: 'sent', label: 'Invoiced' },
              { key: 'paid', label: 'Paid' },
            ]}
            groups={days.map((label, index) => ({
              label,
              values: {
                done: 620 + index * 60,
                sent: index === 4 ? null : 560 + index * 30,
                paid: index === 4 ? null : 400 - index * 20,
              },
            }))}
            format={(value) => `$${value}`}
          />
        </Card>
        <Stat
          label="Earned"
          value="$3,184.50"
          note="+12.4% on last Friday"
          tone="good"
          chart={<Sparkline values={[3, 5, 4, 6, 8, 7, 9]} label="Rising over seven days" tone="good" />}
          href="/x"
        />
        <Button onClick={() => setOpen(true)}>Palette</Button>
      </div>
      <StripLanes
        lanes={lanes.map((lane, index) => ({
          ...lane,
          color: `var(--crew-${index + 1})`,
          right: undefined,
          sub: undefined,
          rightSub: '15 stops · 96% of shift',
        }))}
        compact
        axis={false}
      />
      <CommandPalette open={open} onOpenChange={setOpen}>
        <PaletteBody
          open={open}
          onOpenChange={setOpen}
          groups={[
            {
              id: 'go',
              heading: 'Go to',
              items: ['Dashboard', 'Invoices', 'Route map'].map((label) => ({
                id: label,
                label,
                onSelect: () => undefined,
              })),
            },
          ]}
          search={async (text) => [
            {
              id: 'people',
              heading: 'Customers',
              items: [
                {
                  id: '1',
                  label: `${text} Habersham Court HOA`,
                  hint: '14 Habersham Ct',
                  icon: <IconUser />,
                  onSelect: () => undefined,
                },
              ],
            },
          ]}
        />
      </CommandPalette>
    </main>
  )
}
