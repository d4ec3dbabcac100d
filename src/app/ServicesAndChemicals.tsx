import { useSearchParams } from 'react-router'
import { ServicesAndPrograms } from '../features/jobs/programs/web/Programs.tsx'
import { recordParam } from '../shared/links.ts'
import { lazyPart } from '../ui/lazyAhead.tsx'

const ChemicalsScreen = lazyPart(() =>
  import('../features/chemicals/web/ChemicalsScreen.tsx').then((m) => m.ChemicalsScreen),
)

/** What the business does, and what it puts on lawns doing it: two features that do not know each other. */
export const ServicesAndChemicals = () =>
  useSearchParams()[0].has(recordParam.chemicals) ? <ChemicalsScreen /> : <ServicesAndPrograms />
