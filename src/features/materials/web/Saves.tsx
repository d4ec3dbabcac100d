import { useState } from 'react'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useMay } from '../../accounts/web/session.ts'
import type { Choice } from '../calculation/contract.ts'
import type { Calculation, MaterialFacts } from '../calculation/rules.ts'
import { type Material, materialsApi } from '../contract.ts'
import { MaterialForm } from './MaterialForm.tsx'
import { OnLoadList } from './OnLoadList.tsx'
import { OnPurchaseList } from './OnPurchaseList.tsx'
import { OnQuote } from './OnQuote.tsx'
import type { PlaceFacts } from './Place.tsx'

type Props = {
  /** The material of the list that was chosen; null for one that is typed. */
  listed: Material | null
  facts: MaterialFacts
  choice: Choice
  result: Calculation
  place: PlaceFacts | null
  /** A typed material is on the list now. */
  onMade: (id: string) => void
}

/** Where a calculation goes: a visit's load list, the purchase list, a quote. */
export const Saves = ({ listed, facts, choice, result, place, onMade }: Props) => {
  const may = useMay()
  const [open, setOpen] = useState<'load' | 'buy' | 'quote' | 'add' | null>(null)
  const close = () => setOpen(null)
  // of this very calculation: another one is saved nowhere yet
  const now = JSON.stringify([choice, listed?.id])
  const [done, setDone] = useState<{ of: string; words: string; href: string } | null>(null)
  if (!may(materialsApi.plan) && !may(materialsApi.quoteLine)) return null
  const common = {
    choice,
    result,
    place,
    onClose: close,
    onDone: (words: string, href: string) => {
      setDone({ of: now, words, href })
      close()
    },
  }
  return (
    <Card title="Save it">
      {done?.of === now ? (
        <div className="mat-done">
          <Banner
            tone="done"
            action={
              <Button size="s" href={done.href}>
                See the list
              </Button>
            }
          >
            {done.words}
          </Banner>
        </div>
      ) : null}
      {listed ? (
        <div className="mat-saves">
          {may(materialsApi.plan) ? (
            <Button calls={materialsApi.plan} disabled={!place} onClick={() => setOpen('load')}>
              To a load list
            </Button>
          ) : null}
          {may(materialsApi.want) ? (
            <Button calls={materialsApi.want} onClick={() => setOpen('buy')}>
              To the purchase list
            </Button>
          ) : null}
          {may(materialsApi.quoteLine) ? (
            <Button calls={materialsApi.quoteLine} disabled={!place} onClick={() => setOpen('quote')}>
              To a quote
            </Button>
          ) : null}
          {place ? null : <p className="hint">Choose the customer for a load list or a quote.</p>}
        </div>
      ) : (
        <div className="mat-saves">
          <p className="hint">What is on your list of materials can be loaded, bought and quoted.</p>
          {may(materialsApi.create) ? (
            <Button calls={materialsApi.create} onClick={() => setOpen('add')}>
              Add it to your materials
            </Button>
          ) : null}
        </div>
      )}
      {listed ? (
        <>
          <Dialog open={open === 'load'} onClose={close} title="To a load list" size="s">
            {open === 'load' && place ? <OnLoadList {...common} place={place} material={listed} /> : null}
          </Dialog>
          <Dialog open={open === 'buy'} onClose={close} title="To the purchase list" size="s">
            {open === 'buy' ? <OnPurchaseList {...common} material={listed} /> : null}
          </Dialog>
          <Dialog open={open === 'quote'} onClose={close} title="To a quote" size="s">
            {open === 'quote' && place ? <OnQuote {...common} place={place} material={listed} /> : null}
          </Dialog>
        </>
      ) : null}
      <Dialog open={open === 'add'} onClose={close} title="Add a material">
        {open === 'add' ? (
          <MaterialForm
            material={null}
            usual={facts}
            onDone={({ id }) => {
              close()
              onMade(id)
            }}
          />
        ) : null}
      </Dialog>
    </Card>
  )
}
