import { linkTo } from '../../../shared/links.ts'
import { lazyAhead } from '../../../ui/lazyAhead.tsx'
import { SavedViews } from '../../../ui/SavedViews.tsx'
import { useParams } from '../../../ui/useParams.ts'
import { Calculator } from './Calculator.tsx'
import './materials.css'

const StockView = lazyAhead(() => import('./StockView.tsx').then((m) => m.StockView))
const LoadsView = lazyAhead(() => import('./LoadsView.tsx').then((m) => m.LoadsView))
const PurchasesView = lazyAhead(() => import('./PurchasesView.tsx').then((m) => m.PurchasesView))

const views = [
  { id: 'calculator', name: 'Calculator', href: linkTo.calculator() },
  { id: 'stock', name: 'Materials', href: linkTo.materials() },
  { id: 'loads', name: 'Load lists', href: linkTo.materialLoads() },
  { id: 'buy', name: 'Purchase list', href: linkTo.purchases() },
] as const

/** How much of what an area takes, what there is of it, what is loaded and what is bought. */
export const CalculatorScreen = () => {
  const { params } = useParams()
  const view = views.find(({ id }) => id === params.get('view'))?.id ?? 'calculator'
  const bar = (
    <div className="mat-bar">
      <SavedViews label="Parts" views={views} currentId={view} />
    </div>
  )
  if (view === 'stock') return <StockView bar={bar} />
  if (view === 'loads') return <LoadsView bar={bar} />
  if (view === 'buy') return <PurchasesView bar={bar} />
  return <Calculator bar={bar} />
}
