import { Bars } from "./bars.tsx";

const nameOf = (place: number): string => `14:${String(place).padStart(2, "0")}`;
const values = Array.from({ length: 60 }, (_, place) => Math.round(400 + 300 * Math.sin(place / 6)));

export const states = {
  "an hour": () => <Bars label="Events a minute" values={values} nameOf={nameOf} />,
  "one event": () => <Bars label="Events a minute" values={values.map((_, place) => (place === 59 ? 1 : 0))} nameOf={nameOf} />,
  "little beside much": () => (
    <Bars label="Events a minute" values={values.map((_, place) => (place === 30 ? 10_000 : 1))} nameOf={nameOf} />
  ),
  nothing: () => <Bars label="Events a minute" values={values.map(() => 0)} nameOf={nameOf} />,
};
